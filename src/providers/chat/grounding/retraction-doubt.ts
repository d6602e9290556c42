import type { Doubt } from "../../model-call.ts";
import { answer } from "./answer-doubt.ts";
import { type Claim, type Context, contextOf, ownWords } from "./claim.ts";
import type { Clause } from "./clauses.ts";
import type { ReadConversation } from "./evidence.ts";
import { instruction } from "./instruction-doubt.ts";
import { markersIn } from "./languages.ts";
import { begins } from "./meaning.ts";
import { THE_USER } from "./names.ts";
import { isReminder, withoutRequest } from "./reminders.ts";
import { subject } from "./subject-doubt.ts";
import { foldedWords, withoutElision } from "./words.ts";

/** So near to its end a clause leads to what is taken back: "Vergiss, dass". */
const MAX_TAIL_CHARACTERS = 8;

/** So much of two words is alike where they are forms of one. */
const MIN_STEM_CHARACTERS = 3;

/** What can be doubted of a retraction: of what a model says that a user takes back (D25a). */
export interface RetractionDoubt {
  /** null: the message takes it back, as far as its words show. */
  readonly reason: Doubt | null;
  /** Whether there is nothing to ask about: it is no retraction. */
  readonly isRefused: boolean;
  /** The sentences that were quoted from. */
  readonly passage: string;
}

/**
 * A message takes something back where it asks to forget it, calls it wrong, or denies it
 * in the same words: as a statement, of the same person. A reminder is the opposite.
 */
export function retractionDoubt(claim: Claim, read: ReadConversation): RetractionDoubt {
  const context = contextOf(claim, read);
  const { passage, quoted } = context;
  const isRefused =
    quoted.some(({ folded }) => isReminder(folded)) &&
    !quoted.some((clause) => takesBack(clause, context));
  return { reason: isRefused ? "negation" : reasonOf(context), isRefused, passage };
}

function reasonOf(context: Context): Doubt | null {
  const { clauses, meanings, answer: given } = context;
  if (instruction(context) !== null) return "instruction";
  if (given !== null) return given === "no" && answer(context) !== "grave" ? null : "answer";
  if (!isTakenBack(context)) return "negation";
  if (subject(context) !== null) return "subject";
  const isOrder = clauses.some((clause) => isOrderToForget(clause, context));
  const isAnswered = isOrder || isTakenBackBehind(context);
  // "What I said about golf was wrong" begins like a question.
  const isOnlySaid = meanings.some(
    ({ asks, supposes, wishes }, i) =>
      supposes ||
      (wishes && !isOrder) ||
      (asks && !isAnswered && clauses[i]?.isInQuestion === true),
  );
  return isOnlySaid ? "modality" : null;
}

function isTakenBack(context: Context): boolean {
  const { clauses, meanings } = context;
  if (isTakenBackBehind(context)) return true;
  return clauses.every((clause, i) => {
    const leading = context.leading(clause);
    return (
      takesBack(clause, context) ||
      (leading !== null && isLed(clause) && leadsToIt(leading, context)) ||
      (meanings[i]?.denies === true && hasAllWords(clause, context))
    );
  });
}

/** "Golf? That's over." But not: "Forget it, I play golf." */
function isTakenBackBehind(context: Context): boolean {
  const { clauses, quoted } = context;
  const last = Math.max(...clauses.map((clause) => quoted.indexOf(clause)));
  return quoted.slice(last + 1).some((clause) => takesBack(clause, context));
}

function takesBack({ folded }: Clause, { evidence, language }: Context): boolean {
  return [evidence.language, language].some(
    (each) => markersIn(folded, each, "takesBack").length > 0,
  );
}

/** "Dass ich": but in "forget it, I play golf" golf is not forgotten. */
function isLed({ folded }: Clause): boolean {
  return markersIn(folded, "any", "that")[0]?.start === 0;
}

/** "Vergiss," */
function leadsToIt(leading: Clause, { evidence }: Context): boolean {
  return markersIn(leading.folded, evidence.language, "takesBack").some(
    ({ end }) => leading.folded.length - end <= MAX_TAIL_CHARACTERS,
  );
}

function isOrderToForget(clause: Clause, context: Context): boolean {
  const isOrder = ({ folded }: Clause) => begins(withoutRequest(folded), "any", "takesBack");
  const leading = context.leading(clause);
  return isOrder(clause) || (leading !== null && isOrder(leading));
}

/** What is denied in other words may be something else: "I don't like Lisbon". */
function hasAllWords({ text }: Clause, context: Context): boolean {
  if (!context.isSameLanguage) return false;
  const said = foldedWords(text).map(withoutElision);
  const wanted = ownWords(context)
    .map(withoutElision)
    .filter((word) => !THE_USER.has(word) && word.length >= MIN_STEM_CHARACTERS);
  // Verbs have other endings: "vive", "vivo".
  return wanted.every((word) =>
    said.some((other) => other.startsWith(word.slice(0, MIN_STEM_CHARACTERS))),
  );
}
