import type { LabelledConversation } from "../conversations.ts";
import { FAMILY } from "./conversations-family.ts";
import { PRIVATE } from "./conversations-private.ts";
import { WORK } from "./conversations-work.ts";

/**
 * Labelled by someone who has seen neither the local models' rules nor their tests.
 * Equally right wordings of a labelled fact were added when an extractor had said it
 * otherwise; no label was ever removed, narrowed or added for that.
 */
export const FRESH_CONVERSATIONS: readonly LabelledConversation[] = [
  ...PRIVATE,
  ...FAMILY,
  ...WORK,
];
