/** One message of a conversation. */
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
