/** A few histories of each engine, always the same ones; `npm run histories` plays thousands. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { newTestLocation, TEST_ENGINES, type TestLocation } from "../../support/database.ts";
import { PROJECT_ROOT } from "../../support/project-root.ts";
import { Arena } from "./arena.ts";
import { describeCall, type Recording } from "./call.ts";
import type { FleetOptions } from "./fleet.ts";
import { generate } from "./generate.ts";
import type { Violation } from "./verdicts.ts";

const HISTORIES = 2;
/** With a server that is killed, stopped or cut off; the database is not the tests' to kill. */
const SEEDS_WITH_FAULTS = [1];

function sentencesOf(violations: readonly Violation[]): string[] {
  return violations.map(({ law, what, calls }) =>
    [`${law}: ${what}`, ...calls.map(describeCall)].join("\n"),
  );
}

describe.each(TEST_ENGINES)("on %s", (engine) => {
  let place: TestLocation;
  let arena: Arena;
  beforeAll(async () => {
    place = await newTestLocation(engine);
    const { location } = place;
    const database: FleetOptions["database"] =
      location.engine === "pglite" ? location : { ...location, cluster: null };
    const servers = engine === "postgres" ? 3 : 1;
    arena = await Arena.open({ root: PROJECT_ROOT, database, servers, withProxies: true });
  });
  afterAll(async () => {
    await arena.close();
    await place.remove();
  });

  // Never tried again: a law that is broken once is broken.
  test("no law is broken, whatever clients do at once and whatever breaks", {
    retry: 0,
  }, async () => {
    const histories = [
      ...Array.from({ length: HISTORIES }, (_, index) => generate(index + 1, engine, false)),
      ...SEEDS_WITH_FAULTS.map((seed) => generate(seed, "pglite", true)),
    ];
    const recordings: Recording[] = [];
    for (const history of histories) recordings.push(await arena.play(history));
    const verdicts = await arena.judge(recordings);
    expect(verdicts.flatMap(({ violations }) => sentencesOf(violations))).toEqual([]);
  });
});
