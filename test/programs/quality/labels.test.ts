import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { PROJECT_ROOT } from "../../support/project-root.ts";
import type { LabelledBelief } from "./beliefs.ts";
import { OTHER_WORDING } from "./match-facts.ts";
import { type LabelledSet, PARTS } from "./parts.ts";
import { LABELS } from "./read-labels.ts";
import type { LabelledRelevance } from "./relevance.ts";
import type { LabelledRetraction } from "./retractions.ts";
import { SETS } from "./sets-report.ts";
import type { LabelledUpdate } from "./updates.ts";

// Positions and counts only, of cases and of shared texts: nobody is shown the fresh ones.
const { development, fresh, unseen } = PARTS;

describe.each([["development", development] as const, ["fresh", fresh] as const])(
  "in the %s half",
  (_, { beliefs, updates, retractions, relevance }) => {
    test("beliefs quote words of a message of the user's, but for those whose quote is made up", () => {
      expect(
        failing(beliefs, ({ messages, stated, kind }) => {
          const line = messages[stated.message] ?? "";
          return (
            /^user( \[.+?\])?: /u.test(line) &&
            line.includes(stated.quote) === (kind !== "quote not there")
          );
        }),
      ).toEqual([]);
    });

    test("every line of a conversation has a role and a text", () => {
      expect(
        failing(beliefs, ({ messages }) =>
          messages.every((line) => /^(user( \[[^\]]+\])?|assistant): ./u.test(line)),
        ),
      ).toEqual([]);
    });

    test("updates and retractions name facts that are there, each once", () => {
      expect(failing(updates, (update) => namesOf(update.stored, positionsOf(update)))).toEqual([]);
      expect(failing(retractions, ({ stored, ends }) => namesOf(stored, ends))).toEqual([]);
    });

    test("questions have 8 to 15 memories, none of which both answers and is unrelated", () => {
      expect(
        failing(relevance, ({ memories, answers, unrelated }) => {
          const isSized = memories.length >= 8 && memories.length <= 15;
          return isSized && namesOf(memories, [...answers, ...unrelated]);
        }),
      ).toEqual([]);
    });
  },
);

const halves = [
  halvesOf("beliefs", development.beliefs, fresh.beliefs, textsOfBelief),
  halvesOf("updates", development.updates, fresh.updates, textsOfChange),
  halvesOf("retractions", development.retractions, fresh.retractions, textsOfChange),
  halvesOf("sensitive", development.sensitive, fresh.sensitive, ({ text }) => [text]),
  halvesOf("relevance", development.relevance, fresh.relevance, textsOfRelevance),
];

describe.each(halves)("the two halves of the $name", ({ texts }) => {
  test("share no text", () => {
    const seen = new Set(texts[0]);
    expect(texts[1].filter((text) => seen.has(text))).toHaveLength(0);
  });
});

test("both halves have each kind of a case equally often, but for beliefs and updates", () => {
  expect(kindsOf(fresh)).toEqual(kindsOf(development));
});

// What the rules are tuned on may grow; what only measures them stays as it is.
test.each<[string, (half: LabelledSet) => readonly string[]]>([
  ["a belief", ({ beliefs }) => beliefs.map(({ kind }) => kind)],
  ["an update", ({ updates }) => updates.map(kindOfUpdate)],
])("the development half has each kind of %s at least as often as the fresh one", (_, kindsIn) => {
  const often = countOf(kindsIn(development));
  const rarer = [...countOf(kindsIn(fresh))].filter(
    ([kind, count]) => (often.get(kind) ?? 0) < count,
  );
  expect(rarer).toEqual([]);
});

test("each labelled set says who wrote it, when, and who has seen it", () => {
  const files = readdirSync(LABELS, { recursive: true, encoding: "utf8" });
  const sets = files.filter((path) => /\/.*\.jsonl$/.test(path)).map((path) => path.slice(0, -6));
  expect(SETS.map(({ set }) => set).toSorted()).toEqual(sets.toSorted());
});

/** What is shorter is a fact of everyday that anybody writes. */
const TELLING_WORDS = 6;

test("no rule, prompt or test quotes a text of the fresh half or of the unseen part", () => {
  const texts = new Set(textsIn([fresh, unseen]));
  const telling = [...texts].filter((text) => text.split(/\s+/u).length >= TELLING_WORDS);
  expect(telling.length).toBeGreaterThan(1_000);
  const files = ["test", "src", "packages"]
    .flatMap((folder) =>
      readdirSync(join(PROJECT_ROOT, folder), { recursive: true, encoding: "utf8" }).map(
        (path) => `${folder}/${path}`,
      ),
    )
    .filter((path) => /\.(?:ts|jsonl?)$/.test(path) && !/quality\/labels\/|node_modules/.test(path))
    .map((path) => ({ path, text: readFileSync(join(PROJECT_ROOT, path), "utf8") }));
  const quoting = files.filter(({ text }) => telling.some((each) => text.includes(each)));
  expect(quoting.map(({ path }) => path)).toEqual([]);
});

/** Every text in a labelled case, without the role of who says it; each wording by itself. */
function textsIn(value: unknown): string[] {
  if (typeof value === "string") {
    return value.split(OTHER_WORDING).map((text) => text.replace(/^\w+(?: \[[^\]]*\])?: /u, ""));
  }
  if (typeof value !== "object" || value === null) return [];
  return Object.values(value).flatMap(textsIn);
}

/** The positions of the cases of which something does not hold. */
function failing<T>(cases: readonly T[], holds: (labelled: T) => boolean): number[] {
  return cases.flatMap((labelled, i) => (holds(labelled) ? [] : [i]));
}

function namesOf(texts: readonly string[], positions: readonly number[]): boolean {
  return (
    new Set(positions).size === positions.length && positions.every((i) => texts[i] !== undefined)
  );
}

function positionsOf({ ends, sameAgain }: LabelledUpdate): number[] {
  return sameAgain === undefined ? [...ends] : [...ends, sameAgain];
}

function halvesOf<T>(
  name: string,
  one: readonly T[],
  other: readonly T[],
  textsOf: (labelled: T) => string[],
) {
  const texts = [one.flatMap(textsOf), other.flatMap(textsOf)] as const;
  return { name, texts };
}

/** Facts, and messages but for short ones of everyday ("user: yes"). */
function textsOfBelief({ messages, stated }: LabelledBelief): string[] {
  return [...messages.filter((line) => line.length > "assistant: ".length + 12), stated.fact];
}

function textsOfChange({ stored, said }: LabelledUpdate | LabelledRetraction): string[] {
  return [...stored, said];
}

function textsOfRelevance({ question, memories }: LabelledRelevance): string[] {
  return [question, ...memories];
}

function kindsOf(half: LabelledSet): string[] {
  const { retractions, sensitive, relevance } = half;
  return [
    ...retractions.map(({ ends }) => `takes back ${ends.length > 0}`),
    ...sensitive.map(({ category, language }) => `${category} in ${language}`),
    ...relevance.map(({ answers }) => `${answers.length} answers`),
  ].sort();
}

function kindOfUpdate({ ends, sameAgain }: LabelledUpdate): string {
  return `ends ${ends.length > 0}, again ${sameAgain !== undefined}`;
}

function countOf(kinds: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const kind of kinds) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  return counts;
}
