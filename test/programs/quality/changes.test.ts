import { createLocalProviders } from "@agent-memory/offline-models";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startTestService, type TestService } from "../../support/service.ts";
import { measureEveryday } from "./measure-everyday.ts";
import { type LabelledChange, measureChanges, type SaidAs } from "./measure-updates.ts";
import { PARTS } from "./parts.ts";
import { readLabels } from "./read-labels.ts";

const { development, fresh } = PARTS;

let service: TestService;
beforeAll(async () => {
  service = await startTestService({ models: createLocalProviders() });
});
afterAll(() => service.close());

test.each<[string, number, number, readonly LabelledChange[]]>([
  ["the updates of the development part", 0.55, 0, development.updates],
  ["the retractions of the development part", 0.66, 0, development.retractions],
  ["more retractions", 0.75, 0, readLabels("development", "more-retractions")],
])(
  "of %s the local models end at least a share of %d, and at most %d wrongly",
  async (_, least, most, changes) => {
    const { recall, falseEnds, mistakes } = await measureChanges(service, changes, "messages");
    expect(recall, mistakes.join("\n")).toBeGreaterThanOrEqual(least);
    expect(falseEnds, mistakes.join("\n")).toBeLessThanOrEqual(most);
  },
);

/** Of each kind the share that ends, as facts and where the second is said, and how many end wrongly. */
test.each<[string, number, number, number]>([
  ["update", 0.77, 0.9, 0],
  ["other words", 0.2, 0.3, 0],
  ["near miss", 1, 1, 1],
  ["identifier", 1, 1, 0],
])(
  "D23b, of what no rule has seen, %s: at least %d and %d end, at most %d wrongly",
  async (kind, told, said, most) => {
    const ofKind = fresh.present.filter((each) => each.kind === kind);
    expect(ofKind.length).toBeGreaterThanOrEqual(30);
    for (const [way, least] of [
      ["facts", told],
      ["a fact, then said", said],
    ] as const) {
      const { ended, changes, falseEnds } = await measureEveryday(service, ofKind, way);
      expect(changes === 0 ? 1 : ended / changes, way).toBeGreaterThanOrEqual(least);
      expect(falseEnds, way).toBeLessThanOrEqual(most);
    }
  },
);

/** Aggregates only: who sees the mistakes of this set would write rules for them. */
test.each<[string, SaidAs, number, number, readonly LabelledChange[]]>([
  ["updates", "messages", 0.53, 0, fresh.updates],
  ["updates", "content", 0.53, 0, fresh.updates],
  ["retractions", "messages", 0.53, 1, fresh.retractions],
])(
  "of %s that no rule has seen, sent as %s, the local models end at least a share of %d, and at most %d wrongly",
  async (_, saidAs, least, most, changes) => {
    const { recall, falseEnds } = await measureChanges(service, changes, saidAs);
    expect(recall).toBeGreaterThanOrEqual(least);
    expect(falseEnds).toBeLessThanOrEqual(most);
  },
);
