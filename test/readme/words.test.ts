/** How long the pages may be, and how long the sentences of those that newcomers read first. */
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { PROJECT_ROOT } from "../support/project-root.ts";

/** The most words of a page, code and tables included. They only shrink. */
const MOST_WORDS: Readonly<Record<string, number>> = {
  "README.md": 1_000,
  "CHANGELOG.md": 150,
  "docs/api.md": 2_000,
  "docs/develop.md": 450,
  "docs/how-a-fact-lives.md": 1_200,
  "docs/operate.md": 2_500,
  "docs/scale.md": 1_200,
  "src/README.md": 1_450,
};
const PLAIN_PAGES = [
  ...Object.keys(MOST_WORDS),
  "docs/clients.md",
  "docs/models.md",
  "packages/transcoding/README.md",
];
const MOST_WORDS_IN_A_SENTENCE = 25;

const read = (page: string) => readFileSync(`${PROJECT_ROOT}/${page}`, "utf8");
const wordsOf = (text: string) => text.split(/\s+/).filter((word) => /\w/.test(word));

/** The sentences of a page's prose: of paragraphs, items of lists and cells of tables. */
function sentencesOf(page: string): string[] {
  const prose = page
    .replaceAll(/^```[\s\S]*?^```$/gm, "\n\n")
    .replaceAll(/`[^`]*`/g, "code")
    .replaceAll(/!?\[([^\]]*)\]\([^)]*\)/g, "$1");
  return prose
    .split(/\n{2,}|\n(?=\s*(?:[-*>|#]|\d+\. ))|\|/)
    .flatMap((part) => part.replaceAll(/\s+/g, " ").split(/(?<=[.!?])["*)]* /))
    .map((sentence) => sentence.trim())
    .filter((sentence) => sentence !== "");
}

test.each(Object.entries(MOST_WORDS))("%s has at most %i words", (page, most) => {
  expect(read(page).split(/\s+/).filter(Boolean).length).toBeLessThanOrEqual(most);
});

test.each(PLAIN_PAGES)("no sentence of %s is longer than 25 words", (page) => {
  const long = sentencesOf(read(page)).filter(
    (sentence) => wordsOf(sentence).length > MOST_WORDS_IN_A_SENTENCE,
  );
  expect(long).toEqual([]);
});
