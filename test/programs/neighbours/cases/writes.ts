import { MAX_EXCLUDED_CATEGORIES, MAX_MESSAGES } from "../../../../src/domain/limits.ts";
import { type Attacker, repeat } from "../attacker.ts";
import type { NeighbourCase } from "../neighbour-case.ts";
import { longText, store, userMessages } from "./texts.ts";

const SEPARATORS = [" ", "_", "-", "--", "__", " _", "- ", "  "];

/** As many spellings of one shipped category as the settings take. */
function spellings(): string[] {
  const words = ["health", "Health", "HEALTH", "hEalth", "heAlth", "healTh", "healtH"];
  const all = words.flatMap((word) =>
    SEPARATORS.flatMap((separator) => [`${word}${separator}medical`, `${word}${separator}MEDICAL`]),
  );
  return all.slice(0, MAX_EXCLUDED_CATEGORIES);
}

const FACTS = 20;
const CANDIDATES = 12;

/** Settings and memories that make the category gate read as much as it can. */
async function arrangeGate(attacker: Attacker): Promise<string> {
  await attacker.must("PATCH", "/agent/settings", {
    excluded_categories: spellings(),
    auto_supersede_default: true,
  });
  await store(attacker, CANDIDATES, (index) => longText(`I live in Berlin ${index}. `));
  return userMessages(Array.from({ length: FACTS }, (_, index) => `I live in Berlin ${index}.`));
}

const POST_MEMORIES = ["POST", "/agent/memories"] as const;

export const WRITES: readonly NeighbourCase[] = [
  {
    name: "category-spellings",
    what: "writes 20 facts beside candidates of 32 KiB, with 100 spellings of one excluded category",
    async arrange(attacker) {
      const body = await arrangeGate(attacker);
      const count = attacker.size({ short: 1, full: 5 });
      return (signal) => repeat(count, 1, signal, () => attacker.send(...POST_MEMORIES, { body }));
    },
  },
  {
    name: "category-spellings-one-text",
    what: "writes texts of 32 KiB beside candidates of 32 KiB, with 100 spellings of one excluded category",
    async arrange(attacker) {
      await arrangeGate(attacker);
      const count = attacker.size({ short: 1, full: 10 });
      const body = JSON.stringify({ content: longText("I live in Berlin now. ") });
      return (signal) => repeat(count, 2, signal, () => attacker.send(...POST_MEMORIES, { body }));
    },
  },
  {
    name: "category-spellings-hang-up",
    what: "writes the same 20 facts and hangs up after a second, again and again",
    async arrange(attacker) {
      const body = await arrangeGate(attacker);
      const count = attacker.size({ short: 1, full: 5 });
      const patienceMs = attacker.size({ short: 300, full: 1_000 });
      return (signal) =>
        repeat(count, 1, signal, () =>
          attacker.send(...POST_MEMORIES, { body, signal: AbortSignal.timeout(patienceMs) }),
        );
    },
  },
  {
    name: "foreign-sentences",
    what: "has 992 KiB of Chinese sentences extracted, 60 times at the starter plan's rate",
    limits: null,
    async arrange(attacker) {
      const body = userMessages(Array.from({ length: 31 }, () => longText("我。")));
      const count = attacker.size({ short: 3, full: 60 });
      const everyMs = attacker.size({ short: 0, full: 100 });
      return (signal) =>
        repeat(count, count, signal, async (index) => {
          await new Promise((resolve) => setTimeout(resolve, index * everyMs));
          return attacker.send(...POST_MEMORIES, { body });
        });
    },
  },
  {
    name: "many-conversations",
    what: "has 64 conversations of 500 messages extracted at once",
    async arrange(attacker) {
      const body = userMessages(
        Array.from({ length: MAX_MESSAGES }, (_, index) => `Person ${index} works at Acme.`),
      );
      const count = attacker.size({ short: 2, full: 64 });
      return (signal) =>
        repeat(count, count, signal, () => attacker.send(...POST_MEMORIES, { body }));
    },
  },
  {
    name: "thousand-facts",
    what: "writes conversations of 1,000 facts, four at once",
    async arrange(attacker) {
      const body = userMessages(
        Array.from(
          { length: attacker.size({ short: 100, full: MAX_MESSAGES }) },
          (_, index) => `I work on project ${index}. I like city ${index}.`,
        ),
      );
      const count = attacker.size({ short: 1, full: 8 });
      return (signal) => repeat(count, 4, signal, () => attacker.send(...POST_MEMORIES, { body }));
    },
  },
];
