import { giveWay } from "../../concurrency/loop-turns.ts";
import type { ChatMessage } from "../../domain/memory-write.ts";

/** Concurrent parts of one conversation. */
export const MAX_PARTS_AT_ONCE = 24;

/**
 * The tokens of an answer about one part, if each sentence of the user's is a fact:
 * `MAX_ANSWER_TOKENS` less an eighth, as some models say more. What is missing is asked for again.
 */
export const MAX_PART_TOKENS = 560;
/** Tokens of a fact besides its words. */
const TOKENS_OF_A_FACT = 36;
/** The words of a fact occur in its quote and in its text. */
const BYTES_PER_TOKEN = 1.8;
/** A question or a word or two states little: "Yes." */
const TOKENS_OF_A_REMARK = 10;
const MAX_REMARK_BYTES = 12;
/** "I live in Oslo, have two cats, work at Equinor": a few commas are another fact. */
const COMMAS_OF_A_FACT = 2;

/** A long message is divided between parts after at least this much. */
const MAX_PIECE_TOKENS = MAX_PART_TOKENS / 8;
/** A longer sentence is cut. */
const MAX_PIECE_CHARACTERS = 1_200;
/** A shorter piece is not divided. */
const MIN_DIVIDED_CHARACTERS = 200;
/** The prompt has only the end of an assistant's message, as context. */
const MAX_ASSISTANT_CHARACTERS = 2_000;

// Context of a part, for names and pronouns.
const PIECES_BEFORE = 6;
/** Only the end of each: what follows refers to it. */
const MAX_CONTEXT_CHARACTERS = 400;
/** People say who they are at the beginning. */
const MAX_OPENING_PIECES = 3;

/** After a sentence and the following blank. */
const SENTENCE_END = /(?<=[.!?…]["'”’»)\]]?\s)(?=\S)|(?<=[。！？\n])/u;
const QUESTION = /[?？]["'”’»)\]]?\s*$/u;
const COMMA = /[,;:](?=\s)|[、，；：]/gu;

/** A message, or a piece of a long one, as the prompt has it. */
export interface Piece {
  readonly messageIndex: number;
  readonly role: "user" | "assistant";
  /** The speaker; undefined: unknown. */
  readonly name?: string;
  readonly text: string;
}

export interface ConversationPart {
  /** For names and pronouns; its facts belong to another part. */
  readonly context: readonly Piece[];
  /** The pieces to read, in order. At least one is a user's. */
  readonly pieces: readonly Piece[];
}

/**
 * Divides a conversation into parts, in order. Each part has the preceding messages and the opening
 * as context. A short conversation is one part; one without text of a user has none.
 * Messages of the roles `system` and `tool` are left out: no user said them.
 */
export async function partsOf(messages: readonly ChatMessage[], signal: AbortSignal) {
  const pieces: Piece[] = [];
  for (const [index, message] of messages.entries()) {
    // Other requests run between the messages.
    await giveWay(signal);
    pieces.push(...piecesOf(message, index));
  }
  const count = partCount(tokensOf(pieces));
  await giveWay(signal);
  const parts = inParts({ context: [], pieces }, 0, count);
  if (parts.length < 2) return parts;
  const opening = pieces.filter(isUsers).slice(0, MAX_OPENING_PIECES);
  return parts.map(({ context, pieces: own }) => {
    const known = new Set([...context, ...own].map(({ messageIndex }) => messageIndex));
    const missing = opening.filter(({ messageIndex }) => !known.has(messageIndex));
    return { context: [...missing, ...context], pieces: own };
  });
}

/** A part with its messages divided into the smallest pieces. */
export function inPieces({ context, pieces }: ConversationPart): ConversationPart {
  return { context, pieces: pieces.flatMap((piece) => (isUsers(piece) ? cut(piece) : piece)) };
}

/** Divides a part from piece `from` on into up to `count` like ones, each with what precedes it. */
export function inParts({ context, pieces }: ConversationPart, from: number, count: number) {
  const wanted = pieces.slice(from);
  const most = tokensOf(wanted) / Math.max(1, count);
  let tokens = 0;
  const runs = Map.groupBy(wanted, (piece) => {
    const own = tokensOf([piece]);
    tokens += own;
    return Math.min(count - 1, Math.floor((tokens - own / 2) / most));
  });
  let start = from;
  return [...runs.values()].flatMap((run) => {
    const before = endsBefore(pieces, start);
    start += run.length;
    return run.some(isUsers) ? { context: [...context, ...before], pieces: joined(run) } : [];
  });
}

function endsBefore(pieces: readonly Piece[], end: number): Piece[] {
  return pieces
    .slice(Math.max(0, end - PIECES_BEFORE), end)
    .map((piece) => ({ ...piece, text: copied(piece.text.slice(-MAX_CONTEXT_CHARACTERS)) }));
}

function joined(pieces: readonly Piece[]): Piece[] {
  const whole: Piece[] = [];
  for (const piece of pieces) {
    const last = whole.at(-1);
    if (last?.messageIndex === piece.messageIndex) {
      whole[whole.length - 1] = { ...last, text: last.text + piece.text };
    } else whole.push(piece);
  }
  return whole;
}

/** The estimated tokens of a model's answer about pieces. */
export function tokensOf(pieces: readonly Piece[]): number {
  return pieces.reduce((sum, piece) => sum + (isUsers(piece) ? tokensOfText(piece.text) : 0), 0);
}

/**
 * As many as there must be; where they are more than are read at once, so many that all
 * are read in rounds of which none is for a few left over.
 */
function partCount(tokens: number): number {
  const count = Math.ceil(tokens / MAX_PART_TOKENS);
  const rounds = Math.ceil(count / MAX_PARTS_AT_ONCE);
  return rounds < 2 ? count : rounds * MAX_PARTS_AT_ONCE;
}

function piecesOf({ role, name, content }: ChatMessage, messageIndex: number): Piece[] {
  if ((role !== "user" && role !== "assistant") || content.trim() === "") return [];
  const piece = { messageIndex, role, ...(name !== undefined && { name }) };
  if (role === "user") return cut({ ...piece, role, text: content });
  return [{ ...piece, role, text: content.slice(-MAX_ASSISTANT_CHARACTERS).toWellFormed() }];
}

function cut(piece: Piece): Piece[] {
  if (piece.text.length < MIN_DIVIDED_CHARACTERS) return [piece];
  return dividedText(piece.text, MAX_PIECE_TOKENS).map((text) => ({ ...piece, text }));
}

function tokensOfText(text: string): number {
  return sentencesIn(text).reduce((sum, sentence) => sum + tokensOfSentence(sentence), 0);
}

function tokensOfSentence(sentence: string): number {
  const bytes = Buffer.byteLength(sentence.trim());
  if (bytes === 0) return 0;
  if (bytes <= MAX_REMARK_BYTES || QUESTION.test(sentence)) return TOKENS_OF_A_REMARK;
  const commas = sentence.match(COMMA)?.length ?? 0;
  const facts = 1 + Math.floor(commas / COMMAS_OF_A_FACT);
  return facts * TOKENS_OF_A_FACT + bytes / BYTES_PER_TOKEN;
}

export function isUsers({ role }: Pick<Piece, "role">): boolean {
  return role === "user";
}

/** A copy, well formed. A slice of a string keeps the whole string in memory. */
function copied(text: string): string {
  return Buffer.from(text).toString();
}

/** Divides a text at sentences into pieces of about so many answer tokens. */
function dividedText(text: string, maxTokens: number): string[] {
  const pieces: string[] = [];
  let piece = "";
  let tokens = 0;
  for (const sentence of sentencesIn(text)) {
    const more = tokensOfSentence(sentence);
    const fits = piece.length + sentence.length <= MAX_PIECE_CHARACTERS;
    if (piece !== "" && (tokens + more > maxTokens || !fits)) {
      pieces.push(piece);
      piece = "";
      tokens = 0;
    }
    piece += sentence;
    tokens += more;
  }
  return [...pieces, piece].filter((each) => each.trim() !== "");
}

/** All sentences of a text. Too long ones are cut. */
function sentencesIn(text: string): string[] {
  return text.split(SENTENCE_END).flatMap((sentence) => {
    const pieces: string[] = [];
    let rest = sentence;
    while (rest.length > MAX_PIECE_CHARACTERS) {
      const end = endOfWord(rest.slice(0, MAX_PIECE_CHARACTERS));
      pieces.push(rest.slice(0, end));
      rest = rest.slice(end);
    }
    return [...pieces, rest];
  });
}

/** The end of the last word of a text, else of its last character. */
function endOfWord(text: string): number {
  const blank = text.lastIndexOf(" ") + 1;
  if (blank > text.length / 2) return blank;
  // A surrogate pair stays whole.
  return /[\ud800-\udbff]$/.test(text) ? text.length - 1 : text.length;
}
