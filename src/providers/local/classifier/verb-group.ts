import { verbFormOf } from "../lexicon/verbs.ts";
import { isCapitalised, type Token } from "./token.ts";

/** A subject, its main verb and what follows it, with what the helping words say. */
export interface Clause {
  readonly subject: readonly Token[];
  /** Base form; `be` for a copula. */
  readonly verb: string;
  readonly complement: readonly Token[];
  readonly isPassive: boolean;
  readonly isNegated: boolean;
  readonly isChange: boolean;
  readonly isPast: boolean;
  readonly isTentative: boolean;
}

const BE = new Set("is am are was were be been being".split(" "));
const AUXILIARIES = new Set("has have had do does did".split(" "));
const MODALS = new Set("will would may might could can should must shall".split(" "));
const TENTATIVE_VERBS = new Set(
  "plan want hope intend consider wish think expect wonder".split(" "),
);
const NEGATIONS = new Set("not never no".split(" "));
const CHANGE_ADVERBS = new Set(
  "now currently instead again nowadays finally officially".split(" "),
);
const ADVERBS = new Set(
  "now currently also just recently always usually often still already finally officially mostly really only longer since sometimes even never not no again instead nowadays mainly primarily then today both".split(
    " ",
  ),
);
const BEFORE_A_NOUN = new Set(
  "the a an my our your his her their its this that these those of in on at for to with from by and or favorite favourite".split(
    " ",
  ),
);
/** "Is passing" says how the subject is, not what it does. */
const STATES = new Set("passing failing missing".split(" "));
const SAME_IN_THE_PAST = new Set("quit put set cut hit cost".split(" "));
const PASSIVES = new Set(
  `move rename change postpone reschedule schedule locate base headquarter employ marry call name promote host deploy hire bear transfer
  delay raise lower reduce increase set update replace push extend cancel settle relocate write build rewrite store slip upgrade downgrade switch`.split(
    /\s+/u,
  ),
);

/** Whether a word is an adverb that may stand between subject and verb. */
export function isAdverb(token: Token): boolean {
  return ADVERBS.has(token.folded);
}

/** "May" is a month where it is written like one. */
function isModal(token: Token): boolean {
  return MODALS.has(token.folded) && !(token.folded === "may" && isCapitalised(token));
}

/** Whether a word can be the verb of a third person, or helps one. */
export function isFiniteVerb(token: Token): boolean {
  if (token.isPossessive) return false;
  const { folded } = token;
  if (BE.has(folded) || AUXILIARIES.has(folded) || isModal(token)) return true;
  const form = verbFormOf(folded)?.form;
  return form === "third" || form === "past" || SAME_IN_THE_PAST.has(folded);
}

/** "no longer lives": the verb phrase begins with its adverbs. */
export function withAdverbsBefore(tokens: readonly Token[], verb: number): number {
  let start = verb;
  while (start > 0 && ADVERBS.has(tokens[start - 1]?.folded ?? "")) start -= 1;
  return start;
}

/** Where the verb itself begins; null: nothing in it is known as a verb. */
export function verbPosition(tokens: readonly Token[]): number | null {
  for (const [i, token] of tokens.entries()) {
    const previous = tokens[i - 1];
    if (previous !== undefined && (previous.isPossessive || BEFORE_A_NOUN.has(previous.folded)))
      continue;
    // "Deploys happen": a word that could be a verb, but for the verb that follows.
    const next = tokens[1];
    if (i === 0 && next !== undefined && (isFiniteVerb(next) || verbFormOf(next.folded) !== null)) {
      continue;
    }
    if (isFiniteVerb(token)) return i;
    if (verbFormOf(token.folded)?.form === "base" && takesBaseForm(tokens.slice(0, i))) return i;
  }
  return null;
}

function takesBaseForm(before: readonly Token[]): boolean {
  const subject = before.filter((token) => !ADVERBS.has(token.folded)).at(-1);
  if (subject === undefined) return false;
  return /^(?:i|we|you|they)$/u.test(subject.folded) || /[^s]s$/u.test(subject.folded);
}

/** Reads the verb with the words that help it; null: no verb comes of it. */
export function readVerbGroup(
  subject: readonly Token[],
  tokens: readonly Token[],
  start: number,
  isChangeBefore: boolean,
): Clause | null {
  let isNegated = false;
  let isChange = isChangeBefore || tokens.slice(0, start).some((t) => CHANGE_ADVERBS.has(t.folded));
  let isTentative = false;
  let isPast = false;
  let isPassive = false;
  let sawBe = false;
  let verb: string | null = null;
  let i = start;
  for (; i < tokens.length; i++) {
    const token = tokens[i] as Token;
    const word = token.folded;
    const form = isCapitalised(token) && i > start ? null : verbFormOf(word);
    const following = tokens[i + 1]?.folded ?? "";
    if (NEGATIONS.has(word)) {
      isNegated = true;
      if (word === "no") isChange ||= following === "longer";
    } else if (CHANGE_ADVERBS.has(word)) isChange = true;
    else if (ADVERBS.has(word) || (word.endsWith("ly") && form === null)) continue;
    else if (BE.has(word)) {
      sawBe = true;
      isPast ||= word === "was" || word === "were";
    } else if (isModal(token)) isTentative ||= word !== "can" && word !== "must";
    else if (AUXILIARIES.has(word) && isHelping(tokens, i))
      isPast ||= word === "did" || word === "had";
    else if (word === "used" && following === "to") {
      isNegated = true;
      isPast = true;
      i += 1;
    } else if (sawBe && form?.form === "ing" && !STATES.has(word)) {
      isTentative ||= word === "going" && following === "to";
      isTentative ||= TENTATIVE_VERBS.has(form.base);
      verb = form.base;
      break;
    } else if (sawBe && form?.form === "past" && PASSIVES.has(form.base)) {
      isPassive = true;
      verb = form.base;
      break;
    } else if (sawBe || form === null) break;
    else if (TENTATIVE_VERBS.has(form.base) && following === "to") {
      isTentative = true;
      i += 1;
    } else {
      isPast ||= form.form === "past";
      verb = form.base;
      break;
    }
  }
  if (verb === null && !sawBe) return null;
  // "Is delayed": with nothing behind it, the participle says how the subject is.
  const isState = isPassive && i + 1 >= tokens.length && verb !== "marry";
  if (isState) verb = "be";
  const complement = tokens.slice(verb === null || isState ? i : i + 1);
  return {
    subject,
    verb: verb ?? "be",
    complement,
    isPassive,
    isNegated: isNegated || endsWithAnymore(complement, isNegated),
    isChange: isChange || complement.some((token) => CHANGE_ADVERBS.has(token.folded)),
    isPast,
    isTentative,
  };
}

function endsWithAnymore(complement: readonly Token[], isNegated: boolean): boolean {
  return isNegated && complement.at(-1)?.folded === "more";
}

/** "has" and "does" help a verb that follows; "has a dog" stands alone. */
function isHelping(tokens: readonly Token[], i: number): boolean {
  const rest = tokens.slice(i + 1).find((token) => !ADVERBS.has(token.folded));
  if (rest === undefined) return false;
  if (rest.folded === "been") return true;
  const form = verbFormOf(rest.folded)?.form;
  const helpsDo = /^d/u.test(tokens[i]?.folded ?? "");
  return helpsDo ? form === "base" : form === "past";
}
