import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { PROJECT_ROOT } from "../../support/project-root.ts";
import type { LabelledBelief } from "./beliefs.ts";
import { OTHER_WORDING } from "./match-facts.ts";
import { PARTS } from "./parts.ts";
import { LABELS } from "./read-labels.ts";
import type { LabelledRelevance } from "./relevance.ts";
import type { LabelledRetraction } from "./retractions.ts";
import { SETS } from "./sets-report.ts";
import type { LabelledUpdate } from "./updates.ts";

// Positions and counts only, of cases and of shared texts: nobody is shown the fresh ones.
const { development, fresh, unseen } = PARTS;

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
