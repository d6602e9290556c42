import { thirdPersonOf } from "@agent-memory/text";
import { render, SAME_IN_THE_PAST, skipAdverbs, type Word } from "./grammar.ts";

export const UNNAMED_SPEAKER = "The user";

/** "I am" as "The user is": of `speaker`, with the verbs agreeing. */
export function toThirdPerson(words: readonly Word[], speaker: string): string {
  const agreeing = new Map<number, string>();
  let isSpeakers = false;
  const said = words.map((word, i): Word => {
    const name = i === 0 || speaker !== UNNAMED_SPEAKER ? speaker : "the user";
    const text = word.text === "US" ? null : spokenOf(word.lower, name, isSpeakers);
    if (text === null) return { ...word, text: agreeing.get(i) ?? word.text };
    const isSubject = word.lower === "i" || word.lower === "we";
    isSpeakers ||= isSubject;
    // "My wife and I live": two of them, so the verb stays.
    const isSecond =
      words[i - 1]?.lower === "and" && !words.slice(0, i).some(({ tags }) => tags.has("Verb"));
    if (isSubject && !isSecond) makeAgree(words, i + 1, agreeing);
    return { ...word, text };
  });
  const text = render(said).replace(/,? from now on$/u, " now");
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}

/** "Their" only of what the speaker does: "my sister and my dog" may be her dog. */
function spokenOf(word: string, speaker: string, isSpeakers: boolean): string | null {
  if (/^(?:i|me|we|us)$/u.test(word)) return speaker;
  if (/^(?:my|our)$/u.test(word)) return isSpeakers ? "their" : `${speaker}'s`;
  if (/^(?:mine|ours)$/u.test(word)) return `${speaker}'s`;
  return /^(?:myself|ourselves)$/u.test(word) ? "themselves" : null;
}

function makeAgree(words: readonly Word[], from: number, agreeing: Map<number, string>): void {
  const i = skipAdverbs(words, from);
  const word = words[i];
  if (word === undefined) return;
  const { lower, tags } = word;
  if (lower === "am" || lower === "are") agreeing.set(i, "is");
  else if (lower === "were") agreeing.set(i, "was");
  const isBase =
    !(tags.has("PastTense") || tags.has("Modal") || tags.has("Gerund")) && word.root !== "be";
  const isPast = words.some(({ tags, lower }) => tags.has("Date") || /^(?:ago|last)$/u.test(lower));
  const isFormer = lower === "used" && words[i + 1]?.lower === "to";
  const staysPast =
    /^(?:quit|got|cut|beat)$/u.test(lower) || isFormer || (isPast && SAME_IN_THE_PAST.has(lower));
  if (!tags.has("Verb") || !isBase || lower === "had" || lower === "did" || staysPast) return;
  agreeing.set(i, thirdPersonOf(word.text));
}
