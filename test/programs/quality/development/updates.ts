import type { LabelledUpdate } from "../updates.ts";
import { ENDING_UPDATES } from "./updates-ending.ts";
import { EVERYDAY_UPDATES } from "./updates-everyday.ts";
import { KEEPING_UPDATES } from "./updates-keeping.ts";
import { PLAIN_UPDATES } from "./updates-plain.ts";

/** Labelled by someone who has not seen the local models' rules, which may be tuned on it since. */
export const DEVELOPMENT_UPDATES: readonly LabelledUpdate[] = [
  ...ENDING_UPDATES,
  ...KEEPING_UPDATES,
  ...EVERYDAY_UPDATES,
  ...PLAIN_UPDATES,
];
