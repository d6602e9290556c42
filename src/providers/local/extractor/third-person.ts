import { thirdPersonOf, verbFormOf } from "../lexicon/verbs.ts";
import { bare, MODALS, skipAdverbs } from "./words.ts";

const SAME_IN_THE_PAST = new Set("read put cut set hit let cost hurt shut quit".split(" "));
const PAST_MARKER =
  /\b(?:yesterday|ago|last (?:night|week|month|year|summer|winter|spring|fall|autumn|\p{L}+day)|(?:in|on) (?:19|20)\d\d)\b/iu;

/**
 * Rewrites what the speaker says of themselves to the third person, with the
 * verbs agreeing. `speaker` is a name or "The user".
 */
export function toThirdPerson(clause: string, speaker: string): string {
  const words = clause.split(" ");
  const isPast = PAST_MARKER.test(clause);
  const result: string[] = [];
  const agreeing = new Map<number, string>();
  let isMentioned = false;
  words.forEach((word, i) => {
    const atStart = i === 0;
    const [, lead = "", core = word, tail = ""] = /^([("']*)(.*?)([,.;:!?)"']*)$/u.exec(word) ?? [];
    const replaced = replacementOf(core, speakerAt(speaker, atStart), isMentioned);
    if (replaced === null) {
      result.push(agreeing.get(i) ?? word);
      return;
    }
    isMentioned = true;
    result.push(`${lead}${replaced}${tail}`);
    const isAlone =
      bare(words[i - 1]) !== "and" ||
      i < 2 ||
      !/^(?:i|we)$/iu.test(core) ||
      !isJoinedSubject(words, i);
    if (/^(?:i|we)$/iu.test(core) && isAlone) makeAgree(words, i + 1, isPast, agreeing);
  });
  return result.join(" ");
}

function speakerAt(speaker: string, atStart: boolean): string {
  return atStart || speaker !== "The user" ? speaker : "the user";
}

function replacementOf(word: string, speaker: string, isMentioned: boolean): string | null {
  switch (word.toLowerCase()) {
    case "i":
    case "me":
    case "we":
    case "us":
      return speaker;
    case "my":
    case "our":
      return isMentioned ? "their" : possessive(speaker);
    case "mine":
    case "ours":
      return possessive(speaker);
    case "myself":
    case "ourselves":
      return "themselves";
    default:
      return null;
  }
}

function possessive(name: string): string {
  return `${name}'s`;
}

/** "My wife and I live": two subjects, so the verb stays. */
function isJoinedSubject(words: readonly string[], i: number): boolean {
  return words
    .slice(0, i - 1)
    .every((word) => !verbFormOf(bare(word)) || /^(?:my|our)$/iu.test(word));
}

function makeAgree(
  words: readonly string[],
  from: number,
  isPast: boolean,
  agreeing: Map<number, string>,
): void {
  const i = skipAdverbs(words, from);
  const word = words[i];
  if (word === undefined) return;
  const agreed = agreedForm(bare(word), isPast);
  if (agreed === null) return;
  agreeing.set(i, word.replace(/^[\p{L}']+/u, agreed));
  // "I swim and run every day"
  const second = bare(words[i + 2]);
  if (bare(words[i + 1]) === "and" && verbFormOf(second)?.form === "base") {
    agreeing.set(i + 2, (words[i + 2] as string).replace(/^\p{L}+/u, thirdPersonOf(second)));
  }
}

/** The form that agrees with one third person; null: it stays as it is. */
function agreedForm(verb: string, isPast: boolean): string | null {
  if (verb === "am" || verb === "are") return "is";
  if (verb === "were") return "was";
  if (MODALS.has(verb) || verb === "" || verb === "was" || verb === "had" || verb === "did")
    return null;
  if (SAME_IN_THE_PAST.has(verb) && (isPast || verb === "quit")) return null;
  const form = verbFormOf(verb)?.form ?? (/(?:ed|ing|s)$/u.test(verb) ? "past" : "base");
  return form === "base" && /^\p{L}+$/u.test(verb) ? thirdPersonOf(verb) : null;
}
