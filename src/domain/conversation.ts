/** Who says something in a conversation (4.1, D6). */
export const CHAT_ROLES = ["user", "assistant", "system", "tool"] as const;

/** One message of a conversation. */
export interface ChatMessage {
  readonly role: (typeof CHAT_ROLES)[number];
  readonly content: string;
}

/** A caller's own model for one extraction (D27). The key is never stored, logged or returned. */
export interface Llm {
  readonly provider: "gemini" | "openai";
  readonly model: string;
  readonly apiKey: string;
  /** null: the provider's own address. */
  readonly baseUrl: string | null;
}
