import { invalidField } from "./failure.ts";
import type { Instant } from "./instant.ts";
import type { Metadata } from "./memory.ts";
import type { Settings } from "./settings.ts";

/** The fields of a write in every mode (4.1). */
export interface WriteScope {
  readonly source: string;
  /** null: the default tenant. */
  readonly tenantId: string | null;
  /** The conversation that the write comes from; null: none was named. */
  readonly sessionId: string | null;
  /** null: as the settings say. */
  readonly autoSupersede: boolean | null;
  /** With messages, when the conversation took place. null: now. */
  readonly validFrom: Instant | null;
  /** null: no end is known. */
  readonly validTo: Instant | null;
  readonly metadata: Metadata;
}

export interface ContentWrite extends WriteScope {
  readonly mode: "content";
  /** Stored exactly as given. */
  readonly content: string;
  readonly topic: string;
  readonly importanceScore: number;
}

export interface MessagesWrite extends WriteScope {
  readonly mode: "messages";
  /** Oldest first; at least one. */
  readonly messages: readonly ChatMessage[];
  /** The caller's own model; null: the service's. */
  readonly llm: Llm | null;
  readonly validTo: null;
}

/** Many facts at once, in order (D41). */
export interface BatchWrite {
  readonly mode: "batch";
  readonly memories: readonly ContentWrite[];
}

export type MemoryWrite = ContentWrite | MessagesWrite | BatchWrite;

/** The parts of a write that each have a scope of their own. */
export function scopesOf(write: MemoryWrite): readonly WriteScope[] {
  return write.mode === "batch" ? write.memories : [write];
}

/** Throws `invalid_field` for a known end that is not later than the start (D17). */
export function checkKnownEnds(write: MemoryWrite, now: Instant): void {
  const prefixOf = (index: number) => (write.mode === "batch" ? `memories[${index}].` : "");
  for (const [index, { validFrom, validTo }] of scopesOf(write).entries()) {
    if (validTo !== null && validTo <= (validFrom ?? now)) {
      throw invalidField(`${prefixOf(index)}valid_to`, "must be later than `valid_from`");
    }
  }
}

/** Whether what is written may end other memories by itself (D23). */
export function isAutoSuperseding(
  { autoSupersede }: Pick<WriteScope, "autoSupersede">,
  { autoSupersedeDefault }: Settings,
): boolean {
  return autoSupersede ?? autoSupersedeDefault;
}

export interface ChatMessage {
  readonly role: "user" | "assistant" | "system" | "tool";
  /** "": it has no text, and says nothing. */
  readonly content: string;
  /** The speaker's name; undefined: none was given. */
  readonly name?: string;
}

/** A caller's own model for one extraction (D27). The key is never stored, logged or returned. */
export interface Llm {
  readonly provider: "gemini" | "openai";
  readonly model: string;
  readonly apiKey: string;
  /** null: the provider's own address. */
  readonly baseUrl: string | null;
}
