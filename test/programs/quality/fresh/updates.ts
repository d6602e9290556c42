import type { LabelledUpdate } from "../updates.ts";
import { ENDING_UPDATES } from "./updates-ending.ts";
import { KEEPING_UPDATES } from "./updates-keeping.ts";

/** Labelled by someone who has seen neither the local models' rules nor their tests. */
export const FRESH_UPDATES: readonly LabelledUpdate[] = [...ENDING_UPDATES, ...KEEPING_UPDATES];
