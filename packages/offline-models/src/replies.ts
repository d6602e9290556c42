import { sentencesOf, thirdPersonOf } from "@agent-memory/text";
import { readClause } from "./clause.ts";
import type { Grammar } from "./grammar.ts";
import { withoutLeadIns } from "./openings.ts";
import { termsOf } from "./terms.ts";

/** A question stands at the end of what is asked. */
const MAX_QUESTION_CHARACTERS = 300;
const MAX_REPLY_CHARACTERS = 80;

/** The question that a message ends with, or null. */
export function questionOf(message: string): string | null {
  const sentences = sentencesOf(message.slice(-MAX_QUESTION_CHARACTERS));
  return sentences.findLast(({ isQuestion }) => isQuestion)?.text ?? null;
}

const SUBJECT =
  "(you|he|she|they|it|(?:your|his|her|their|its|the) (?:[\\p{L}\\p{N}'-]+ ){0,3}?[\\p{L}\\p{N}'-]+)";
const ASKS = {
  whatDoes: new RegExp(
    `^(what|which|where|when|who|whom|how many|how much|how often)(?: ([\\p{L} ]{2,30}?))? (do|does) ${SUBJECT} (\\p{L}+)(?: (.+))?$`,
    "iu",
  ),
  whatIs: new RegExp(`^(what|which|who|where|when|how \\p{L}+)(?: is| are) ${SUBJECT}$`, "iu"),
  whatIsDone: new RegExp(
    `^(what|which|where|when|who)(?: [\\p{L} ]{2,30}?)? (?:are|is) ${SUBJECT} ((?:\\p{L}+(?:ed|ing)|from|into|on|with|using|allergic|good|made)\\b.{0,40})$`,
    "iu",
  ),
};
/** Of the conversation, not of who is asked. */
const OF_THE_TALK =
  /^(?:want|need|mean|think|know|prefer|see|say|remember|feel|suggest|agree|do)$/iu;
const EVASION =
  /^(?:not|no|none|nothing|never|any|anything|depends|sure|whatever|both|maybe|probably|thanks|please|ok|okay|same|idk|all|yes|yep|yeah|it|that|this|well|hm+|i|we)\b/iu;
const PREPOSITION =
  /^(?:in|at|on|near|from|to|by|since|until|after|before|around|every|next|last|for|between)\b/iu;

/** A reply with what it leaves out of the question; null: nothing that is known. */
export function completed(question: string, reply: string, grammar: Grammar): string | null {
  const asked = question.replace(/^(?:.*[,:;–—]|and|so|but|great|ok|okay)\s+/iu, "");
  const said = withoutLeadIns(reply);
  if (said === "" || said.length > MAX_REPLY_CHARACTERS || EVASION.test(said)) return null;
  return readClause(grammar(said)) === null ? answered(asked, uncapitalised(said, grammar)) : null;
}

/** A reply begins with a capital that its words need not have. */
function uncapitalised(said: string, grammar: Grammar): string {
  const tags = grammar(said)[0]?.tags ?? new Set<string>();
  const isCommon = ["Plural", "Verb", "Determiner", "Preposition", "Value", "Adjective"].some(
    (tag) => tags.has(tag),
  );
  return isCommon && !tags.has("ProperNoun")
    ? `${said.charAt(0).toLowerCase()}${said.slice(1)}`
    : said;
}

/** "What does he like?" "Trains." */
function answered(asked: string, said: string): string | null {
  const [, , whose = "", done = ""] = ASKS.whatIsDone.exec(asked) ?? [];
  if (whose !== "") return `${spoken(whose)} ${beOf(whose)} ${own(done)} ${said}`;
  const [, kind = "", subject = ""] = ASKS.whatIs.exec(asked) ?? [];
  if (subject !== "") return `${spoken(subject)} ${beOf(subject)} ${placed(kind, said)}`;
  const [, which = "", , help = "", who = "", verb = "", rest = ""] =
    ASKS.whatDoes.exec(asked) ?? [];
  if (verb === "" || OF_THE_TALK.test(verb)) return null;
  const begun = `${spoken(who)} ${/^does$/iu.test(help) ? thirdPersonOf(verb) : verb}`;
  const isHome = /^where/iu.test(which) && /^(?:live|stay|come)$/iu.test(verb);
  const object = placed(isHome ? "home" : which, said);
  const isLast = /^(?:in|at|on|with|for|to|from|of|about)$/iu.test(rest) || object !== said;
  return `${begun} ${(isLast ? [own(rest), object] : [object, own(rest)]).join(" ").trim()}`;
}

/** When or where something is. */
function placed(kind: string, said: string): string {
  const isOfPlace = termsOf(said).some(({ implied }) => implied.includes("place"));
  const where = isOfPlace || kind === "home" ? "in" : "at";
  const preposition = { where, home: "in", when: "on" }[kind.toLowerCase()];
  return preposition === undefined || PREPOSITION.test(said) ? said : `${preposition} ${said}`;
}

function beOf(subject: string): string {
  return /^you$/iu.test(subject) ? "am" : /^they$|[^s]s$/iu.test(subject) ? "are" : "is";
}

function spoken(subject: string): string {
  const said = own(subject);
  return `${said.charAt(0).toUpperCase()}${said.slice(1)}`;
}

/** What is asked of "you", as the one who replies says it. */
export function own(text: string): string {
  return text.replace(/\byour\b/giu, "my").replace(/\byou\b/giu, "I");
}
