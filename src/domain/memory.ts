import type { CompanyId, MemoryId } from "./ids.ts";
import { earlier, type Instant } from "./instant.ts";
import { MAX_PAGE_TEXT_BYTES } from "./limits.ts";

/**
 * One atomic fact (1.1). Valid time is `[validFrom, validTo)`; transaction time is
 * `createdAt` and `supersededAt` (D16). Only supersession changes a memory, and
 * only `validTo`, `supersededBy` and `supersededAt`.
 */
export interface Memory {
  readonly id: MemoryId;
  readonly companyId: CompanyId;
  /** null: the default tenant. */
  readonly tenantId: string | null;
  readonly decision: string;
  readonly summary: string;
  readonly topic: string;
  /** 1 to 10. */
  readonly importanceScore: number;
  readonly source: string;
  readonly createdAt: Instant;
  readonly validFrom: Instant;
  /** null: no end is known. */
  readonly validTo: Instant | null;
  /** null: no memory replaced it. */
  readonly supersededBy: MemoryId | null;
  /** When it was superseded, with or without a replacement; null: it was not. */
  readonly supersededAt: Instant | null;
  readonly originalMessage: string;
  /** The part of it that the fact was taken from (D12d); undefined: all of it, or not known. */
  readonly span?: Span;
  readonly metadata: Metadata;
}

/** A part of a text, in code points: from `start` up to, and without, `end`. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** Texts by name that the writer of a memory gave it (D40). */
export type Metadata = Readonly<Record<string, string>>;

/**
 * When a fact holds (D17): from `statedAt`, when it was said, unless it began before. A start ahead
 * of that does not count, nor an end at or before the start. null: not known.
 */
export function periodOf(
  known: Pick<Memory, "validTo"> & { readonly validFrom: Instant | null },
  statedAt: Instant,
): Pick<Memory, "validFrom" | "validTo"> {
  const validFrom = earlier(known.validFrom ?? statedAt, statedAt);
  const ends = known.validTo !== null && known.validTo > validFrom;
  return { validFrom, validTo: ends ? known.validTo : null };
}

export interface RetrievedMemory {
  readonly memory: Memory;
  /** Cosine similarity to the question, clipped to 0 and 1. */
  readonly similarity: number;
  /** How much it has to do with the question, 0 to 1, by one measure for all questions (D12). */
  readonly relevance: number;
}

/** Where a memory came from, beyond what every reader of it needs (D32). */
export interface Provenance {
  readonly mode: "content" | "messages";
  readonly sessionId: string | null;
  /** Position of the message in the request, from 0; null in content mode. */
  readonly messageIndex: number | null;
  /** null in content mode. */
  readonly extraction: Extraction | null;
}

export interface Extraction {
  readonly provider: string;
  readonly model: string;
  readonly byoLlm: boolean;
}

/** The memory's flags at `now`; an end that is `now` has passed, as validity is half open (D16, D19). */
export function temporalFlags(
  memory: Pick<Memory, "validTo" | "supersededBy" | "supersededAt">,
  now: Instant,
) {
  const isSuperseded = memory.supersededAt !== null;
  const ended = memory.validTo !== null && memory.validTo <= now;
  return {
    isSuperseded,
    isExpired: ended && memory.supersededBy === null,
    isCurrent: !isSuperseded && !ended,
  };
}

/** Which memories of a tenant a read is about (1.5, D40); null: the filter is not set. */
export interface MemoryFilters {
  /** Valid time: the memories that hold at this moment, superseded since or not; null: the current ones. */
  readonly asOf: Instant | null;
  /** Transaction time: what the service had been told by this moment, as it knew it then. */
  readonly knownAt: Instant | null;
  readonly sessionId: string | null;
  readonly topic: string | null;
  readonly createdAfter: Instant | null;
  readonly createdBefore: Instant | null;
  /** Texts that each of them has; {}: any memory. */
  readonly metadata: Metadata;
}

export const NO_FILTERS: MemoryFilters = {
  asOf: null,
  knownAt: null,
  sessionId: null,
  topic: null,
  createdAfter: null,
  createdBefore: null,
  metadata: {},
};

/** When a read is answered: now, or as it would have been then. Nothing is known of what is ahead. */
export function momentOf({ knownAt }: Pick<MemoryFilters, "knownAt">, now: Instant): Instant {
  return knownAt === null ? now : earlier(knownAt, now);
}

/** The first of these, as many as are a page by the texts of their memories, and one at least (D37). */
export function withinPage<T>(entries: readonly T[], memoriesOf: (entry: T) => Memory[]): T[] {
  let bytes = 0;
  const end = entries.findIndex((entry, index) => {
    for (const memory of memoriesOf(entry)) bytes += textBytesOf(memory);
    return bytes > MAX_PAGE_TEXT_BYTES && index > 0;
  });
  return entries.slice(0, end === -1 ? entries.length : end);
}

function textBytesOf({ decision, summary, originalMessage, topic }: Memory): number {
  const texts = [decision, summary, originalMessage, topic];
  return texts.reduce((bytes, text) => bytes + Buffer.byteLength(text), 0);
}

/** The fields whose known values are suggested, to narrow lists of memories by. */
export type KnownValueField = "topic" | "source" | "session_id";

/** Suggestions at once: as many as a person reads. */
export const MAX_KNOWN_VALUES = 20;
/** Suggestions of what has no index of its own are those of so many of the newest memories. */
export const MEMORIES_WITH_KNOWN_VALUES = 2_000;

/** The part of the original message that a memory was taken from (D12d); null: not known. */
export function spanOf({ span, originalMessage, decision }: Memory): Span | null {
  if (span !== undefined) return span;
  return originalMessage === decision ? { start: 0, end: codePointsIn(decision) } : null;
}

/** The length of a text in code points. */
export function codePointsIn(text: string): number {
  return text.length - (text.match(/[\ud800-\udbff][\udc00-\udfff]/g)?.length ?? 0);
}

/** Where a quote stands in a message, case, blanks and punctuation aside; undefined: nowhere. */
export function spanOfQuote(message: string, quote: string): Span | undefined {
  const letters = quote.match(/[\p{L}\p{M}\p{N}]/gu);
  if (letters === null) return undefined;
  const at = message.indexOf(quote);
  const found =
    at >= 0
      ? { 0: quote, index: at }
      : new RegExp(letters.join(String.raw`[^\p{L}\p{M}\p{N}]*`), "iu").exec(message);
  if (found === null) return undefined;
  const start = codePointsIn(message.slice(0, found.index));
  return { start, end: start + codePointsIn(found[0]) };
}
