import type { LabelledBelief } from "../beliefs.ts";
import { DIALOGUE_BELIEFS } from "./beliefs-dialogue.ts";
import { LANGUAGE_BELIEFS } from "./beliefs-languages.ts";
import { PLAIN_BELIEFS } from "./beliefs-plain.ts";
import { UNSTATED_BELIEFS } from "./beliefs-unstated.ts";

/** Labelled by someone who has seen neither the local models' rules nor their tests. */
export const FRESH_BELIEFS: readonly LabelledBelief[] = [
  ...PLAIN_BELIEFS,
  ...DIALOGUE_BELIEFS,
  ...LANGUAGE_BELIEFS,
  ...UNSTATED_BELIEFS,
];
