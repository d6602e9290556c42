import { fold } from "@agent-memory/text";
import type { Context } from "./claim.ts";
import { markersIn } from "./languages.ts";
import { namesOf, THE_USER } from "./names.ts";
import { statedNumbers } from "./numbers.ts";
import type { Weight } from "./weight.ts";
import { contentWords, indexWords } from "./words.ts";

/**
 * Whether a fact puts together what clauses of their own tell: "boxes on Mondays" of
 * "Mondays I swim, Thursdays I box". Each has words that the fact leaves out, and none
 * all that it says.
 */
export function mixture({ fact, quoted, isSameLanguage, answer }: Context): Weight {
  if (!isSameLanguage || answer !== null || quoted.length < 2) return null;
  const wanted = contentWords(fact).filter((word) => !THE_USER.has(word));
  const { has: isWanted } = indexWords(fact);
  const sources = quoted.map(({ text }) => {
    const { has } = indexWords(text);
    const used = wanted.filter(has);
    return { used, isLeft: contentWords(text).some((word) => !isWanted(word)) };
  });
  const parts = sources.filter(({ used }) => used.length > 0);
  const most = Math.max(0, ...parts.map(({ used }) => used.length));
  const all = new Set(parts.flatMap(({ used }) => used));
  if (parts.length < 2 || most === all.size || !parts.every(({ isLeft }) => isLeft)) return null;
  // Words of a later clause before those of an earlier one.
  const places = wanted.flatMap((word) => {
    const place = sources.findIndex(({ used }) => used.includes(word));
    return place < 0 ? [] : [place];
  });
  const isTurned = places.some((place, i) => place > (places[i + 1] ?? place));
  return isTurned && all.size === wanted.length ? "grave" : "mild";
}

/** Whether the user takes back the numbers or names of a fact in the same breath, and says others. */
export function isTakenBack({
  fact,
  folded,
  language,
  read,
  messageIndex,
  evidence,
}: Context): boolean {
  const { content } = read.messageOf(messageIndex);
  const said = fold(content);
  const marker = markersIn(said, "any", "correction").at(-1);
  if (marker === undefined || marker.start === 0) return false;
  const [before, after] = [said.slice(0, marker.start), said.slice(marker.end)];
  const numbers = statedNumbers(folded, language);
  const [earlier, later] = [before, after].map((text) => statedNumbers(text, evidence.language));
  if (numbers.length > 0 && later !== undefined && later.length > 0) {
    return numbers.some((n) => earlier?.includes(n) === true && !later.includes(n));
  }
  const names = namesOf(content.slice(marker.start)).filter(
    (name) => !indexWords(before).has(name),
  );
  const taken = namesOf(fact).filter((name) => indexWords(before).has(name));
  return names.length > 0 && taken.length > 0 && !names.some((name) => indexWords(fact).has(name));
}
