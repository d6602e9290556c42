import { mapConcurrently } from "../../concurrency/map-concurrently.ts";
import type { ChatCompletion } from "../chat-model.ts";
import {
  type ConversationPart,
  inParts,
  inPieces,
  isUsers,
  type Piece,
  tokensOf,
} from "./conversation-parts.ts";
import { lettersOf } from "./grounding/letters.ts";
import { createQuoteFinder, type FindQuoted } from "./grounding/quotes.ts";
import { nonsense } from "./model-answer.ts";
import { readStatedFacts, type StatedFact } from "./stated-facts.ts";
import { withoutThinking } from "./thinking.ts";

/** Of an answer that breaks off early, so many pieces at most are asked for next. */
const MAX_PARTS_OF_REST = 4;

/** What a model said of a part of a conversation. */
export interface PartRead {
  /** Untrusted; in the order of the conversation. null: an entry that is no fact. */
  readonly stated: readonly (StatedFact | null)[];
  /** The users' messages of which there may be more to say, by their indexes. */
  readonly unread: readonly number[];
}

/** What one answer of a model states. */
export interface Statement {
  readonly stated: readonly (StatedFact | null)[];
  /** Whether the answer was cut off: then there may be more. */
  readonly isCutOff: boolean;
}

/**
 * What a model's answer states; null: it said nothing. Throws `model_unavailable` for an
 * answer that can't be read though it is whole.
 */
export function readStatement({ text, isCutOff }: ChatCompletion): Statement | null {
  const stated = readStatedFacts(text, isCutOff);
  if (isCutOff) return { stated: stated ?? [], isCutOff };
  if (withoutThinking(text).trim() === "") return null;
  if (stated === null) throw nonsense("an extraction that can't be read");
  return { stated, isCutOff };
}

/** Asks the model about a part; null: there is no time left for it. */
export type AskAbout = (part: ConversationPart, signal: AbortSignal) => Promise<Statement | null>;

/**
 * What a model states of a part of a conversation (D27b). An answer that was cut off is
 * used as far as it is whole, and the rest is asked for again, from the last message that
 * it covered: side by side, in as many parts as the first answer shows that it takes.
 *
 * What is too short to be divided and not read to its end is unread. Throws what `ask` throws.
 */
export async function readPart(
  part: ConversationPart,
  ask: AskAbout,
  signal: AbortSignal,
): Promise<PartRead> {
  const answer = await ask(part, signal);
  if (answer === null) return { stated: [], unread: usersIn(part) };
  const stated = withoutContext(part, answer.stated);
  if (!answer.isCutOff) return { stated, unread: [] };
  const rest = restOf(part, stated);
  // What is too short to be divided, and of which a model does not come to an end.
  if (rest.length === 0) return { stated, unread: usersIn(part).slice(-1) };
  const again = await mapConcurrently(
    rest,
    rest.length,
    (other, bounded) => readPart(other, ask, bounded),
    signal,
  );
  return {
    stated: [...stated, ...again.flatMap((each) => each.stated)],
    unread: again.flatMap((each) => each.unread),
  };
}

/** What an answer that was cut off leaves to be asked for; empty: it can't be divided. */
function restOf(
  part: ConversationPart,
  stated: readonly (StatedFact | null)[],
): ConversationPart[] {
  const divided = inPieces(part);
  const { pieces } = divided;
  const start = lastCovered(pieces, stated);
  const [covered, left] = [pieces.slice(0, start), pieces.slice(start)].map(tokensOf) as [
    number,
    number,
  ];
  if (covered === 0) {
    const halves = inParts(divided, 0, 2);
    return halves.length < 2 ? [] : halves;
  }
  const told = covered + tokensOf(pieces.slice(start, start + 1));
  const count = Math.ceil(left / told);
  return inParts(divided, start, Math.min(MAX_PARTS_OF_REST, count));
}

/**
 * The place of the last piece that facts were stated of; 0: all of it is to be asked for
 * again, also where they do not come in order, so that there may be others anywhere.
 */
function lastCovered(pieces: readonly Piece[], stated: readonly (StatedFact | null)[]): number {
  const find = quoteFinderIn(pieces);
  const places = stated.flatMap((fact) => {
    if (fact === null) return [];
    const named = pieces.findIndex(({ messageIndex }) => messageIndex === fact.messageIndex);
    return find(fact.quote, named < 0 ? null : named)?.messageIndex ?? [];
  });
  const isInOrder = places.every((place, i) => place >= (places[i - 1] ?? 0));
  return isInOrder ? (places.at(-1) ?? 0) : 0;
}

/** What is stated, but for what users said in the context: another part states it. */
function withoutContext(
  { context, pieces }: ConversationPart,
  stated: readonly (StatedFact | null)[],
): (StatedFact | null)[] {
  const [isOwn, isOthers] = [pieces, context].map((said) => {
    const find = quoteFinderIn(said);
    return (quote: string) => find(quote, null) !== null;
  });
  return stated.filter((entry) => {
    if (entry === null) return true;
    return isOwn?.(entry.quote) || !isOthers?.(entry.quote);
  });
}

/** Finds quotes in pieces, and gives the place of the piece. */
function quoteFinderIn(pieces: readonly Piece[]): FindQuoted {
  return createQuoteFinder(pieces.map((piece) => (isUsers(piece) ? lettersOf(piece.text) : "")));
}

function usersIn({ pieces }: ConversationPart): number[] {
  return [...new Set(pieces.filter(isUsers).map(({ messageIndex }) => messageIndex))];
}
