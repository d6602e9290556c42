import { afterAll, beforeAll, expect, test } from "vitest";
import { createLocalProviders } from "../../../src/providers/offline/index.ts";
import { startTestService, type TestService } from "../../support/service.ts";
import { EVERYDAY_RETRACTIONS } from "./development/everyday-retractions.ts";
import { MORE_RETRACTIONS } from "./development/more-retractions.ts";
import { MORE_UPDATES } from "./development/more-updates.ts";
import { type LabelledChange, measureChanges, type SaidAs } from "./measure-updates.ts";
import { PARTS } from "./parts.ts";

const { development, fresh } = PARTS;

let service: TestService;
beforeAll(async () => {
  service = await startTestService({ models: createLocalProviders() });
});
afterAll(() => service.close());

test.each<[string, number, number, readonly LabelledChange[]]>([
  ["the updates of the development part", 0.94, 0, development.updates],
  ["more updates", 0.84, 0, MORE_UPDATES],
  ["updates in other languages", 0.5, 0, development.multilingual],
  ["the retractions of the development part", 0.93, 0, development.retractions],
  ["more retractions", 1, 0, MORE_RETRACTIONS],
  ["everyday retractions", 0.95, 0, EVERYDAY_RETRACTIONS],
])(
  "of %s the local models end at least a share of %d, and at most %d wrongly",
  async (_, least, most, changes) => {
    const { recall, falseEnds, mistakes } = await measureChanges(service, changes, "messages");
    expect(recall, mistakes.join("\n")).toBeGreaterThanOrEqual(least);
    expect(falseEnds, mistakes.join("\n")).toBeLessThanOrEqual(most);
  },
);

/** Aggregates only: who sees the mistakes of this set would write rules for them. */
test.each<[string, SaidAs, number, number, readonly LabelledChange[]]>([
  ["updates", "messages", 0.59, 0, fresh.updates],
  ["updates", "content", 0.56, 0, fresh.updates],
  ["retractions", "messages", 0.53, 1, fresh.retractions],
])(
  "of %s that no rule has seen, sent as %s, the local models end at least a share of %d, and at most %d wrongly",
  async (_, saidAs, least, most, changes) => {
    const { recall, falseEnds } = await measureChanges(service, changes, saidAs);
    expect(recall).toBeGreaterThanOrEqual(least);
    expect(falseEnds).toBeLessThanOrEqual(most);
  },
);
