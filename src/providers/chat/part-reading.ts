import { mapConcurrently } from "../../concurrency/bounds.ts";
import { Failure } from "../../domain/failure.ts";
import type { ChatCompletion } from "../chat-model.ts";
import {
  type ConversationPart,
  inParts,
  inPieces,
  isUsers,
  type Piece,
  tokensOf,
} from "./conversation-parts.ts";
import { readStatedFacts, type StatedFact } from "./extraction-prompt.ts";
import { createQuoteFinder, type FindQuoted, lettersOf } from "./grounding/letters.ts";
import { breaksOff } from "./json-list.ts";
import { withoutThinking } from "./thinking.ts";

/** The rest of an answer that was cut off early is divided into at most so many parts. */
const MAX_PARTS_OF_REST = 4;

/** Untrusted; in the order of the conversation. */
type Stated = readonly StatedFact[];

export interface PartRead {
  readonly stated: Stated;
  /** The users' messages that may hold more facts, by their indexes. */
  readonly unread: ReadonlyMap<number, NotRead>;
}

/** Why a message was not read: the time ended or the answer is unreadable, or the model refused. */
export type NotRead = "unread" | "refused";

export interface StatedPart {
  readonly stated: Stated;
  /** Whether the answer was cut off, so that there may be more. */
  readonly isCutOff: boolean;
}

/** A failed call where nothing of the answer can be used, so that it is counted as one. */
export class NothingRead extends Failure {
  readonly notRead: NotRead;

  constructor(notRead: NotRead) {
    super("model_unavailable", "the language model gave an answer that cannot be used; try again");
    this.notRead = notRead;
  }
}

/** Reads the statements of an answer; null: it is empty. Throws NothingRead. */
export function readStatedPart({ text, isCutOff, isRefused }: ChatCompletion): StatedPart | null {
  if (isRefused) throw new NothingRead("refused");
  const stated = readStatedFacts(text);
  if (isCutOff || breaksOff(text, "facts")) {
    return { stated: stated ?? [], isCutOff: true };
  }
  if (withoutThinking(text).trim() === "") return null;
  const isUnreadable = stated?.every(({ fact }) => fact === "") && stated.length > 0;
  if (stated === null || isUnreadable) throw new NothingRead("unread");
  return { stated, isCutOff };
}

/** Asks the model about a part. Throws NothingRead. */
export type AskAbout = (part: ConversationPart, signal: AbortSignal) => Promise<StatedPart>;

/**
 * Reads a part of a conversation with a model (D27b). The complete entries of an answer that was
 * cut off count. The rest is asked again from the last covered message on, concurrently, in as
 * many parts as the first answer suggests.
 *
 * A message that is too short to divide, and not read to its end, is unread. Throws what `ask`
 * throws, but for NothingRead.
 */
export async function readPart(
  part: ConversationPart,
  ask: AskAbout,
  signal: AbortSignal,
): Promise<PartRead> {
  const answer = await ask(part, signal).catch((error: unknown) => {
    if (error instanceof NothingRead) return error;
    throw error;
  });
  const unread = (indexes: readonly number[], reason: NotRead) =>
    new Map(indexes.map((index) => [index, reason]));
  if (answer instanceof NothingRead) {
    return { stated: [], unread: unread(usersIn(part), answer.notRead) };
  }
  const stated = withoutContext(part, answer.stated);
  if (!answer.isCutOff) return { stated, unread: new Map() };
  const rest = restOf(part, stated);
  // The part is too short to divide, and the model reaches no end.
  if (rest.length === 0) return { stated, unread: unread(usersIn(part).slice(-1), "unread") };
  const again = await mapConcurrently(
    rest,
    rest.length,
    (other, bounded) => readPart(other, ask, bounded),
    signal,
  );
  return {
    stated: [...stated, ...again.flatMap((each) => each.stated)],
    unread: new Map(again.flatMap((each) => [...each.unread])),
  };
}

/** The parts that an answer leaves out when it is cut off; empty: the rest cannot be divided. */
function restOf(part: ConversationPart, stated: Stated): ConversationPart[] {
  const divided = inPieces(part);
  const { pieces } = divided;
  const start = lastCovered(pieces, stated);
  const covered = tokensOf(pieces.slice(0, start));
  if (covered === 0) {
    const halves = inParts(divided, 0, 2);
    return halves.length < 2 ? [] : halves;
  }
  const stateable = covered + tokensOf(pieces.slice(start, start + 1));
  const count = Math.ceil(tokensOf(pieces.slice(start)) / stateable);
  return inParts(divided, start, Math.min(MAX_PARTS_OF_REST, count));
}

/** The last piece with a stated fact. 0: all are asked again, also where facts are out of order. */
function lastCovered(pieces: readonly Piece[], stated: Stated): number {
  const find = quoteFinderIn(pieces);
  const indexes = stated.flatMap((fact) => {
    const named = pieces.findIndex(({ messageIndex }) => messageIndex === fact.messageIndex);
    return find(fact.quote, named < 0 ? null : named)?.messageIndex ?? [];
  });
  const isInOrder = indexes.every((index, i) => index >= (indexes[i - 1] ?? 0));
  return isInOrder ? (indexes.at(-1) ?? 0) : 0;
}

/** The statements without those about the context, which another part states. */
function withoutContext({ context, pieces }: ConversationPart, stated: Stated): Stated {
  const [findOwn, findOthers] = [quoteFinderIn(pieces), quoteFinderIn(context)];
  return stated.filter(({ quote }) => findOwn(quote, null) || !findOthers(quote, null));
}

/** Finds quotes in pieces, and gives the place of the piece. */
function quoteFinderIn(pieces: readonly Piece[]): FindQuoted {
  return createQuoteFinder(pieces.map((piece) => (isUsers(piece) ? lettersOf(piece.text) : "")));
}

function usersIn({ pieces }: ConversationPart): number[] {
  return [...new Set(pieces.filter(isUsers).map(({ messageIndex }) => messageIndex))];
}
