import { type CitedAnswer, certainOf, citeText } from "../../domain/citations.ts";
import { NONE_ANSWERS } from "../answerer.ts";
import { nonsense } from "./model-answer.ts";
import { beginningOf, readSaid } from "./thinking.ts";

/** The model writes this word when no memory answers. */
export const NO_ANSWER = "NO_ANSWER";

/** Markup around the word. */
const MARKS = "[*_`\"']{0,3}";
const AT_START = String.raw`(?<![\p{L}\p{N}])`;
/** A word of a sentence goes on in it, such as a status that a memory tells of. */
const IN_SENTENCE = String.raw`(?<=[\p{L}\p{N}][ \t]${MARKS})${MARKS}${NO_ANSWER}${MARKS}[ \t]\p{Ll}`;
/** The exact word, or a whole word in any case. */
const SPELLED = `(?!${IN_SENTENCE})(?:${AT_START}${MARKS}(?i:${NO_ANSWER})|${MARKS}${NO_ANSWER})`;
const WORD = `${SPELLED}${MARKS}[ \\t]{0,3}[:.,;–—-]{0,3}[*_\`]{0,3}`;
/** After a blank it goes with the following blanks. */
const REMOVED = new RegExp(String.raw`(?:(?<=^|\s)${WORD}\s{0,8}|${WORD})`, "gu");
const BEGINNING = beginningOf(NO_ANSWER);
/** What the next piece of the text may continue. */
const UNDECIDED = new RegExp(
  String.raw`(?:${WORD}\s{0,8}|${AT_START}${MARKS}(?i:${BEGINNING})?|${MARKS}(?:${BEGINNING})?)$`,
  "u",
);

/** The text without the word for no answer; of one that is not whole, as far as it is decided. */
function withoutNoAnswer(text: string, isWhole: boolean): string {
  return (isWhole ? text : text.slice(0, text.search(UNDECIDED))).replace(REMOVED, "");
}

/** Longest sentence after the word for no answer. */
const MAX_NO_ANSWER_CHARACTERS = 300;

/** More prose than the token limit allows. */
const MAX_SAID_CHARACTERS = 16 * 1024;

/** A text is read again when it has grown by this share: a long one is not, for each word of it. */
const GROWTH = 1 / 64;

/**
 * Reads a model's answer to a question, whole or in pieces that are cut anywhere, with the same
 * result: all that has come is read anew. What is certain of it is told before the rest has come.
 * The prompt had `offered` memories, numbered from 1. `mayBeThinking`: thoughts without an opening
 * tag may begin the text, so that nothing can be told before their end.
 */
export function createAnswerReader(offered: number, mayBeThinking: boolean) {
  let text = "";
  let readLength = 0;
  /** The part of the answer with citations that was told. */
  let told = "";
  let thoughts = 0;

  /** The text without thoughts and outer blanks; null: it is longer than an answer. */
  function read(isWhole: boolean): string | null {
    const { text: bare, unopenedThoughts } = readSaid(text, isWhole);
    const isToldThought = told !== "" && unopenedThoughts > thoughts;
    thoughts = unopenedThoughts;
    if (isToldThought) throw nonsense("thoughts in the place of an answer");
    const said = bare.trimStart();
    if (said.trimEnd().length <= MAX_SAID_CHARACTERS) return said;
    if (told !== "") throw nonsense("an answer longer than its limit");
    return null;
  }

  return {
    hasUnopenedThoughts: () => thoughts > 0,

    /**
     * Reads the next piece, and returns what it makes certain of the answer with citations. Throws
     * `model_unavailable` where a told part proves to be no answer: it was thoughts, or the answer
     * exceeds its limit.
     */
    push(piece: string): string {
      text += piece;
      if (text.length - readLength < GROWTH * text.length) return "";
      readLength = text.length;
      const said = read(false);
      if (said === null || (mayBeThinking && thoughts === 0)) return "";
      // What stands behind the word may be no answer.
      if (said.search(REMOVED) === 0) return "";
      const certain = certainOf(withoutNoAnswer(said, false), offered);
      if (certain.length <= told.length) return "";
      const more = certain.slice(told.length);
      told = certain;
      return more;
    },

    /**
     * The answer, of a cut-off one up to its last cited sentence, or to what was `shown` of what
     * `push` returned; null: none. Throws as `push`.
     */
    end(isCutOff = false, isShown = true): CitedAnswer | null {
      const said = read(true);
      if (said === null) return null;
      const shown = isShown ? told : "";
      const cited = citeText(withoutNoAnswer(said, true), offered, { isCutOff, shown });
      const wordAt = said.search(REMOVED);
      if (!/[\p{L}\p{N}]/u.test(cited.answer)) return wordAt >= 0 ? NONE_ANSWERS : null;
      if (wordAt !== 0) return cited;
      const isNoneAlone =
        cited.cited.length === 0 && cited.answer.length <= MAX_NO_ANSWER_CHARACTERS;
      return isNoneAlone ? NONE_ANSWERS : { ...cited, grounded: false, answerKind: "closest" };
    },
  };
}
