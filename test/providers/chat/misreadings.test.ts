/** What models take for a fact about the user though the message says it of others, denies it or gives it as a text. */
import { describe, expect, test } from "vitest";
import type { Doubt } from "../../../src/providers/model-call.ts";
import { tablesIn } from "../../support/tables.ts";
import { doubted } from "./doubted.ts";

const table = tablesIn(import.meta.dirname, "misreadings.cases.json");

type Told = readonly [message: string, fact: string, quote?: string];

describe.each(table<[string, Doubt, readonly Told[]]>("… is doubted (…)"))(
  "%s is doubted (%s)",
  (_, doubt, cases) => {
    test.each<Told>(cases)("%s > %s", (message = "", fact = "", quote) => {
      const { grave, mild } = doubted(fact, quote ?? lastSentenceOf(message), message);
      expect([...grave, ...mild]).toContain(doubt);
    });
  },
);

/** A text to work on is quoted by itself. */
function lastSentenceOf(message: string): string {
  return message.split(/[:：\n]\s*|(?<=this\.) /u).at(-1) ?? message;
}

test.each(table<Told>("and what only looks like it is in no grave doubt: …"))(
  "and what only looks like it is in no grave doubt: %s",
  (message = "", fact = "", quote) => {
    expect(doubted(fact, quote ?? null, message).grave).toEqual([]);
  },
);
