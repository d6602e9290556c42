/** A conversation with the facts that are worth remembering of it. */
export interface LabelledConversation {
  /** RFC 3339. */
  readonly at: string;
  /** "role: text", oldest first. */
  readonly messages: readonly string[];
  readonly facts: readonly string[];
}
