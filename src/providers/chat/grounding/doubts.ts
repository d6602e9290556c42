import type { Doubt } from "../../model-call.ts";
import { answer } from "./answer-doubt.ts";
import { type Claim, contextOf, type Doubts } from "./claim.ts";
import { dates } from "./dates-doubt.ts";
import type { ReadConversation } from "./evidence.ts";
import { instruction } from "./instruction-doubt.ts";
import { modality } from "./modality-doubt.ts";
import { names } from "./names-doubt.ts";
import { negation } from "./negation-doubt.ts";
import { numbers } from "./numbers-doubt.ts";
import { subject } from "./subject-doubt.ts";
import type { Weight } from "./weight.ts";
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
