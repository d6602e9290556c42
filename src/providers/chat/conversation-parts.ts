import { giveWay } from "../../concurrency/give-way.ts";
import type { ChatMessage } from "../../domain/conversation.ts";
import { speakerNames } from "./grounding/names.ts";

/**
 * What the user says in one part, in UTF-8. Where every sentence is a fact it comes to
 * the tokens that one answer has; elsewhere to far fewer.
 */
export const MAX_PART_BYTES = 1_600;
/** A short message may state as much as a longer one: "Yes." */
const BYTES_OF_ANY_MESSAGE = 40;
/** A message that is longer is read in pieces of about this length. */
const MAX_PIECE_CHARACTERS = 1_200;
/** What is shorter is not divided any further. */
const MIN_DIVIDED_CHARACTERS = 200;
/** Of what the assistant said only the end is shown: it is there to be referred to. */
const MAX_ASSISTANT_CHARACTERS = 2_000;

// What is shown of the rest of the conversation, for names and pronouns.
const PIECES_BEFORE = 6;
const MAX_CONTEXT_CHARACTERS = 400;
const MAX_INTRODUCTIONS = 3;
/** Nobody introduces themselves further back in a message. */
const INTRODUCTION_CHARACTERS = 1_000;

const SENTENCE_ENDS = ["\n", ". ", "! ", "? ", "。", "！", "？"];

/** A message, or a piece of a long one, as a model is shown it. */
export interface Piece {
  readonly messageIndex: number;
  readonly role: "user" | "assistant";
  /** undefined: nobody said whose words they are. */
  readonly name?: string;
  readonly text: string;
}

/** What one call of a model reads. */
export interface ConversationPart {
  /** Shown for names and pronouns; its facts are another part's. */
  readonly context: readonly Piece[];
  /** What facts are to be found in, in order. At least one is a user's. */
  readonly pieces: readonly Piece[];
}

/**
 * A conversation in parts, in order, each with what came right before it and where users
 * say who they are. One part where it is short; none where no user says anything. Messages
 * of the roles `system` and `tool` are no part of it: no user said what is in them.
 */
export async function partsOf(
  messages: readonly ChatMessage[],
  signal: AbortSignal,
): Promise<ConversationPart[]> {
  const pieces = messages.flatMap(piecesOf);
  const runs = runsOf(pieces).filter(({ end, start }) => pieces.slice(start, end).some(isUsers));
  const introductions = runs.length > 1 ? await introductionsIn(pieces, signal) : [];
  return runs.map(({ start, end }) => {
    const before = pieces.slice(Math.max(0, start - PIECES_BEFORE), start).map(shortenedContext);
    const known = new Set(pieces.slice(Math.max(0, start - PIECES_BEFORE), end));
    const named = introductions.filter((piece) => !known.has(piece)).map(shortenedIntroduction);
    return { context: [...named, ...before], pieces: pieces.slice(start, end) };
  });
}

/**
 * A part in two, for a model that had more to say than an answer holds; each half has the
 * context of the whole. Empty: it is too short to divide.
 */
export function halvesOf({ context, pieces }: ConversationPart): ConversationPart[] {
  const [only] = pieces;
  const halves =
    pieces.length === 1 && only !== undefined ? halvesOfPiece(only) : halvesOfList(pieces);
  return halves.filter((half) => half.some(isUsers)).map((half) => ({ context, pieces: half }));
}

function halvesOfList(pieces: readonly Piece[]): Piece[][] {
  const middle = Math.ceil(pieces.length / 2);
  return [pieces.slice(0, middle), pieces.slice(middle)];
}

function halvesOfPiece(piece: Piece): Piece[][] {
  if (piece.text.length < MIN_DIVIDED_CHARACTERS) return [];
  const texts = dividedText(piece.text, Math.ceil(piece.text.length / 2));
  return texts.map((text) => [{ ...piece, text }]);
}

function piecesOf({ role, name, content }: ChatMessage, messageIndex: number): Piece[] {
  if ((role !== "user" && role !== "assistant") || content === "") return [];
  const texts =
    role === "user"
      ? dividedText(content, MAX_PIECE_CHARACTERS)
      : [content.slice(-MAX_ASSISTANT_CHARACTERS).toWellFormed()];
  return texts.map((text) => ({ messageIndex, role, text, ...(name !== undefined && { name }) }));
}

/** Which pieces each part has. */
function runsOf(pieces: readonly Piece[]): { start: number; end: number }[] {
  const runs: { start: number; end: number }[] = [];
  let start = 0;
  let bytes = 0;
  for (const [index, piece] of pieces.entries()) {
    const more = isUsers(piece) ? BYTES_OF_ANY_MESSAGE + Buffer.byteLength(piece.text) : 0;
    if (bytes > 0 && bytes + more > MAX_PART_BYTES) {
      runs.push({ start, end: index });
      start = index;
      bytes = 0;
    }
    bytes += more;
  }
  if (start < pieces.length) runs.push({ start, end: pieces.length });
  return runs;
}

async function introductionsIn(pieces: readonly Piece[], signal: AbortSignal): Promise<Piece[]> {
  const found: Piece[] = [];
  for (const piece of pieces) {
    if (!isUsers(piece)) continue;
    // Other requests go on between them.
    await giveWay(signal);
    if (speakerNames(piece.text.slice(0, INTRODUCTION_CHARACTERS)) !== "") found.push(piece);
    if (found.length === MAX_INTRODUCTIONS) break;
  }
  return found;
}

function isUsers({ role }: Piece): boolean {
  return role === "user";
}

/** The end: it is what the next message goes on from. */
function shortenedContext(piece: Piece): Piece {
  return { ...piece, text: piece.text.slice(-MAX_CONTEXT_CHARACTERS).toWellFormed() };
}

function shortenedIntroduction(piece: Piece): Piece {
  return { ...piece, text: piece.text.slice(0, INTRODUCTION_CHARACTERS).toWellFormed() };
}

/** A text in pieces of at most so many characters, each ending with a sentence or a line where it can. */
function dividedText(text: string, maxCharacters: number): string[] {
  const pieces: string[] = [];
  let rest = text;
  while (rest.length > maxCharacters) {
    const end = endOfSentence(rest.slice(0, maxCharacters));
    pieces.push(rest.slice(0, end));
    rest = rest.slice(end);
  }
  return [...pieces, rest].filter((piece) => piece.trim() !== "");
}

/** Behind the last sentence of a text, else behind its last word, else between two characters. */
function endOfSentence(text: string): number {
  const half = text.length / 2;
  const ends = SENTENCE_ENDS.map((end) => text.lastIndexOf(end) + end.length).filter(
    (end) => end > half,
  );
  if (ends.length > 0) return Math.max(...ends);
  const blank = text.lastIndexOf(" ") + 1;
  if (blank > half) return blank;
  // Not between the two halves of one character.
  return /[\ud800-\udbff]$/.test(text) ? text.length - 1 : text.length;
}
