import { baseOfVerb, isStopWord } from "@agent-memory/text";
import type { Clause } from "./clause.ts";
import common from "./common-words.json" with { type: "json" };
import { type Grammar, isCapitalised, type Word } from "./grammar.ts";
import { withoutLeadIns } from "./openings.ts";

/** What bids the assistant be another, or forget; nor is it an order to keep. */
const MANIPULATIONS: readonly RegExp[] = [
  /\b(?:system prompt|developer mode|jailbreak|(?:previous|prior|above|new|following) instructions?|all (?:previous|prior|above|memories))\b/iu,
  /^(?:the |this |an? )?(?:assistant|ai|model|chatbot|bot|system|language model|llm)\b.*\b(?:must|should|shall|will|is now|has to|needs to|may)\b/iu,
  /^(?:ignore|disregard|override|pretend|forget|unless|suppose|supposing|imagine|assuming|let us|hopefully|what if|in case|should|have to|getting)\b/iu,
];
/** What is said to the assistant, what only might be, and what is over by tomorrow: nothing to remember. */
const REMARKS: readonly RegExp[] = [
  // "The API lets you send 100 requests" is of anybody.
  /\b(?:(?<!\b(?:lets|allows|gives|costs|gets) )you|your|yours|yourself)\b/iu,
  ...MANIPULATIONS,
  /^(?:if|(?:i|we) (?:may|should|shall)|(?:how|what|where|why) (?:do|does|did|can|could|should|would))\b|\b(?:maybe|perhaps|possibly|probably|not sure|i guess|i suppose|would(?! (?:rather|prefer|like to))|could(?! not)|might|hypothetically|in theory|if only)\b/iu,
  /(?<!\b(?:live|living|work|working|study|studying|stay|staying|read|reading|learn|learning|watch|watching|play|playing|train|training|use|using)\b.*) (?:right now|at the moment)$/iu,
  // Somebody else's words, or words that are spoken about.
  /"[^"]*\b(?:I|my|me)\b/u,
];

/** Verb phrases of the first person that state nothing to remember. */
const CONVERSATIONAL = new RegExp(
  `^(?:i|we) (?:(?:\\p{L}+ly|also|just|still|do not|did not|cannot|will|am|have|was|have been|so|a bit) ){0,4}(?:${common.talk.join("|")})\\b`,
  "iu",
);
const IN_A_MOOD = new RegExp(
  `^(?:i|we) (?:am|are|was|were|feel) (?:(?:\\p{L}+ly|so|very|just|a bit|a little|pretty|not|too|all|still|quite|kind of|kinda) ){0,4}(?:${common.moods.join("|")})(?:$|[,!.]| (?:today|now|right now|in|to|that|about|for|with|but|because|and|so|again|here|after|already)\\b)`,
  "iu",
);

const FICTION =
  /\b(?:in|of) (?:the|this|that|my|our|an?) (?:movie|film|novel|story|game|video|dream|example|screenplay|poem)\b/iu;
const VAGUE_SUBJECT = new Set(common.vagueSubjects.join(" ").split(" "));
const VAGUE = new Set(common.vague.join(" ").split(" "));
/** Verbs that say enough without an object: "I smoke", "my cat died". */
const SELF_SUFFICIENT = new Set(common.selfSufficient.join(" ").split(" "));
const TIMES = new Set("yesterday today tomorrow tonight last next ago weekend".split(" "));
const MIN_WORDS = 3;

/** What is said to the assistant, in a mood or of a day like any other. */
function isSmallTalk(text: string): boolean {
  return [...REMARKS, CONVERSATIONAL, IN_A_MOOD].some((pattern) => pattern.test(text));
}

/** The speaker of a text is in it. */
export const OF_ONESELF = /\b(?:I|i|[Mm]e|[Mm]y|[Mm]ine|[Ww]e|us|[Oo]urs?)\b/u;

const ORDER =
  /^(?<when>(?:when(?:ever)?|every time) [^,]+, )?(?:so |and |but )?(?:from now on,? )?(?:please |just )*(?<how>always |never |(?:do not|don't) (?:ever )?)?(?<order>(?!mind\b)\p{Ll}.*)$/iu;
const HOLDS_FOR_LATER =
  /\b(?:from now on|every time|whenever(?! (?:you can|possible))|in (?:the )?future|any ?more|always|never|ever)\b|\bwhen (?:i'm|i am|we're) |\bwhen you (?!can|have|get|are|see|hear|find|know)/iu;
/** "Write in short paragraphs", "use kilometres with me": how to speak is asked for all that follows. */
const OF_MANNER =
  /^(?:(?:write|answer|reply|respond|explain|speak|talk)(?: (?:to|with) me| things| everything)? (?:(?:in|with|using|without) (?!(?:an?|the|my) )|(?:simply|briefly|slowly|clearly|plainly)$)[^:]*$|use (?:[^:]+ (?:with|for) me$|(?:british|american|metric|imperial|celsius|kilomet\p{L}+|miles|bullet points|(?:plain|simple) \p{L}+)\b)|(?:give|send|show|ask) me [^:]+ at a time$|keep (?:\p{L}+ )?(?:answers|replies|responses|explanations|messages)\b)/iu;

/** "Always answer in French", "keep answers short, please": the order, as it holds for later too; null: it is none. */
export function standingOrder(sentence: string, grammar: Grammar): string | null {
  const { when = "", how = "", order = "" } = ORDER.exec(sentence)?.groups ?? {};
  if (!HOLDS_FOR_LATER.test(sentence) && !OF_MANNER.test(order)) return null;
  const [verb] = grammar(order.toLowerCase());
  const isOrder =
    verb !== undefined && (verb.tags.has("Infinitive") || baseOfVerb(verb.lower) === verb.lower);
  if (!isOrder || (how === "" && /^(?:let|tell|wait)\b/iu.test(order))) return null;
  if (MANIPULATIONS.some((pattern) => pattern.test(order))) return null;
  const holding = /\bfrom now on\b/iu.test(sentence) && how === "" ? "from now on " : how;
  return `${when}${holding}${order.replace(/,? (?:please|from now on)(?=$|[,.])/giu, "")}`;
}

/** Whether a sentence says something of its speaker, and not to the assistant alone. */
export function mayTellOfSpeaker(sentence: string): boolean {
  const bare = withoutLeadIns(sentence).replace(/^(?:please|pls|kindly) /iu, "");
  const [opening = ""] = /^\p{L}+/u.exec(bare.toLowerCase()) ?? [];
  const isOrder =
    baseOfVerb(opening) === opening && !HOLDS_FOR_LATER.test(bare) && opening !== "stop";
  return OF_ONESELF.test(bare) && !isOrder && !isSmallTalk(bare);
}

const OF_US = /^(?:my|our|me|us)$/u;
const SAYS = /^(?:tell|ask|show|let|say|call)$/u;

/** Whether a clause states a fact that is worth remembering. `text` is the clause as written. */
export function isWorthKeeping(clause: Clause, text: string): boolean {
  if (isSmallTalk(text)) return false;
  const { subject, complement, verb, words } = clause;
  const first = subject[0]?.lower ?? "";
  const isSelfSufficient = SELF_SUFFICIENT.has(verb);
  if (first === "i" || first === "we") return hasSubstance(complement) || isSelfSufficient;
  if (words.length < MIN_WORDS || FICTION.test(text)) return false;
  const head = subject.at(-1)?.lower ?? "";
  // "There is 4,200 left on my loan", "They suspended my licence".
  const named = /^(?:there|they)$/u.test(first) ? [...subject, ...complement] : subject;
  const isPartOfOwn = named.some(({ lower }) => OF_US.test(lower)) && !SAYS.test(verb);
  const isVague = VAGUE_SUBJECT.has(first) && !(first === "one" && subject[1]?.lower !== "of");
  if ((isVague && !isPartOfOwn) || (subject.length > 1 && VAGUE_SUBJECT.has(head))) return false;
  if (subject.some(({ lower }, i) => i > 0 && lower === "i" && subject[i - 1]?.lower !== "and"))
    return false;
  if (complement.some(({ lower }) => TIMES.has(lower))) return true;
  const isOwn = first === "my" || first === "our";
  const isEvent = clause.isNegated || clause.isChange || clause.isPassive;
  if (isOwn && verb !== "be" && isEvent) return true;
  // "The feature is rolled out", and not "the party is on".
  if (clause.isPassive && verb.length > 3 && !clause.isPast && !clause.isNegated) return true;
  // "Tiago is coaching me"
  const isToUs = () => complement.some(({ lower }) => OF_US.test(lower)) && !clause.isPast;
  const isNamed = subject.some(isCapitalised) && first !== "the";
  return hasSubstance(complement) || (isOwn && isSelfSufficient) || (isNamed && isToUs());
}

/** Whether more than empty words follow the verb. "Nice" is a city where it is written like one. */
function hasSubstance(complement: readonly Word[]): boolean {
  return complement.some(
    (word) =>
      /[\p{L}\p{N}]/u.test(word.lower) &&
      (isCapitalised(word) || !(isStopWord(word.lower) || VAGUE.has(word.lower))),
  );
}
