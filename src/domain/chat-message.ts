/** Who says something in a conversation (4.1, D6). */
export const CHAT_ROLES = ["user", "assistant", "system", "tool"] as const;

/** One message of a conversation. */
export interface ChatMessage {
  readonly role: (typeof CHAT_ROLES)[number];
  readonly content: string;
}
