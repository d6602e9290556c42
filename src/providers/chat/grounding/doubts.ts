import { fold } from "../../../domain/folding.ts";
import type { Doubt } from "../../model-call.ts";
import { isInstructionLike } from "../untrusted-text.ts";
import { answer } from "./answer-doubt.ts";
import { type Claim, type Context, contextOf, type Doubts, type Weight } from "./claim.ts";
import { dates } from "./dates-doubt.ts";
import type { ReadConversation } from "./evidence.ts";
import { modality, negation } from "./meaning-doubts.ts";
import { names } from "./names-doubt.ts";
import { numbers } from "./numbers-doubt.ts";
import { subject } from "./subject-doubt.ts";
import { words } from "./words-doubt.ts";

/**
 * What can be doubted of a claim without a model. It knows only what the words show:
 * numbers, dates and names without a source, and whether the message denies, wishes,
 * asks or supposes what the fact states, or says it of someone else.
 */
export function doubtsAbout(claim: Claim, read: ReadConversation): Doubts {
  const context = contextOf(claim, read);
  const found: readonly (readonly [Doubt, Weight])[] = [
    ["instruction", instruction(context)],
    ["dates", dates(context)],
    ["numbers", numbers(context)],
    ["names", names(context)],
    ["subject", subject(context)],
    ["negation", negation(context)],
    ["modality", modality(context)],
    ["answer", answer(context)],
    ["words", words(context)],
  ];
  const of = (weight: Weight) => found.flatMap(([doubt, is]) => (is === weight ? doubt : []));
  return { grave: of("grave"), mild: of("mild"), passage: context.passage };
}

const TEXT_TO_WORK_ON =
  /(?:translat|rewrite|rephras|proofread|summari[sz]e|paraphras|ubersetz|umformulier|tradui|traduc|traduz|vertaal|przetłumacz|翻訳|訳し|翻译)/u;

/** Words addressed to a model, or text given to work on. */
function instruction({ fact, folded, quote, passage, clauses, evidence }: Context): Weight {
  if ([fact, quote, passage].some(isInstructionLike)) return "grave";
  const isGiven = TEXT_TO_WORK_ON.test(fold(evidence.said)) && clauses.some((c) => c.isQuoted);
  const isForNow = FROM_NOW_ON.test(fold(passage)) && !WANTED.test(folded);
  return isGiven || isForNow ? "grave" : null;
}

/** How people tell an assistant what to do in the rest of a conversation. */
const FROM_NOW_ON =
  /\bfrom now on\b|\bab (?:jetzt|sofort)\b|\ba partir de (?:maintenant|ahora|agora)\b|\bd'ora in poi\b|\bvanaf nu\b|\bod teraz\b|これから(?:は)?|从现在(?:起|开始)/u;
const WANTED = /\b(?:wants?|prefers?|would like|asks?|wishes|called|starting|starts)\b/u;
