/** What one account does, or somebody without a key, denies no other account its answers. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { TEST_ENGINES } from "../../support/database.ts";
import { CASES } from "./cases/index.ts";
import { openStage, type Stage } from "./stage.ts";

const TIMING = { undisturbedMs: 50, atMostMs: 400, afterwardsMs: 100 };

/** Each differs from one that is played by its text, its protocol or its reader: `npm run neighbours` plays all. */
const LIKE_ANOTHER: ReadonlySet<string> = new Set([
  ...["category-spellings-one-text", "long-questions-control-characters", "light-bodies-rest"],
  ...["lists-read-http1", "lists-read-http2", "lists-unread-http2", "lists-read-grpc"],
  ...["empty-messages", "many-keys", "many-entries"],
]);

/** What the service says when it failed; 503 says that it is busy. */
const DEFECT = /^(?:50[0124-9]|5[1-9]\d|grpc (?:2|13))$/;

describe.each(TEST_ENGINES)("on %s", (engine) => {
  let stage: Stage;
  beforeAll(async () => {
    stage = await openStage(engine);
  });
  afterAll(() => stage.close());

  const cases = CASES.filter(
    ({ name, engines }) => engines?.includes(engine) !== false && !LIKE_ANOTHER.has(name),
  );
  test.each(cases)("$name: another account is served while one $what", async (played) => {
    const logged = stage.service.output().length;
    const { disturbed, attacker } = await stage.play(played, "short", TIMING);
    expect(disturbed.answers).toEqual({ 200: disturbed.count });
    expect(Object.keys(attacker).filter((answer) => DEFECT.test(answer))).toEqual([]);
    expect((await fetch(`${stage.service.url}/healthz`)).status).toBe(200);
    expect(stage.service.output().slice(logged)).toBe("");
  });
});
