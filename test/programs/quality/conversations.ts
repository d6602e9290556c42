/** A conversation with the facts that are worth remembering of it. */
export interface LabelledConversation {
  /** RFC 3339. */
  readonly at: string;
  /** "role: text", oldest first. */
  readonly messages: readonly string[];
  readonly facts: readonly string[];
}

/** A conversation of which some is not the user's own, not English or not to be understood. */
export interface MixedConversation extends LabelledConversation {
  readonly kind: string;
  /** The messages that the answer must name as not read, wholly or in part, from 0. */
  readonly reported: readonly number[];
}
