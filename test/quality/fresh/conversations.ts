import type { LabelledConversation } from "../conversations.ts";
import { FAMILY } from "./conversations-family.ts";
import { PRIVATE } from "./conversations-private.ts";
import { WORK } from "./conversations-work.ts";

/** Labelled by someone who has seen neither the local models' rules nor their tests. */
export const FRESH_CONVERSATIONS: readonly LabelledConversation[] = [
  ...PRIVATE,
  ...FAMILY,
  ...WORK,
];
