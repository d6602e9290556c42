import type { LabelledConversation } from "../conversations.ts";
import { CASUAL } from "./conversations-casual.ts";
import { HOME } from "./conversations-home.ts";
import { OFFICE } from "./conversations-office.ts";
import { TRADE } from "./conversations-trade.ts";

/** Labelled by someone who has not seen the local models' rules, which may be tuned on it since. */
export const DEVELOPMENT_CONVERSATIONS: readonly LabelledConversation[] = [
  ...CASUAL,
  ...HOME,
  ...OFFICE,
  ...TRADE,
];
