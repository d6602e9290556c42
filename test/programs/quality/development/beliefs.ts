import type { LabelledBelief } from "../beliefs.ts";
import { CLAUSE_BELIEFS } from "./beliefs-clauses.ts";
import { DIALOGUE_BELIEFS } from "./beliefs-dialogue.ts";
import { FIGURE_BELIEFS } from "./beliefs-figures.ts";
import { GIVEN_TEXT_BELIEFS } from "./beliefs-given-texts.ts";
import { LANGUAGE_BELIEFS } from "./beliefs-languages.ts";
import { MISATTRIBUTED_BELIEFS } from "./beliefs-misattributed.ts";
import { MISREAD_BELIEFS } from "./beliefs-misread.ts";
import { MISREAD_TONGUE_BELIEFS } from "./beliefs-misread-tongues.ts";
import { OTHERS_BELIEFS } from "./beliefs-others.ts";
import { PASSING_BELIEFS } from "./beliefs-passing.ts";
import { PLAIN_BELIEFS } from "./beliefs-plain.ts";
import { POSSESSION_BELIEFS } from "./beliefs-possessions.ts";
import { REPORTED_BELIEFS } from "./beliefs-reported.ts";
import { TONGUE_BELIEFS } from "./beliefs-tongues.ts";
import { TURN_BELIEFS } from "./beliefs-turns.ts";
import { UNDONE_BELIEFS } from "./beliefs-undone.ts";
import { UNSTATED_BELIEFS } from "./beliefs-unstated.ts";
import { WORDING_BELIEFS } from "./beliefs-wording.ts";

/** Labelled by someone who has not seen the local models' rules, which may be tuned on it since. */
export const DEVELOPMENT_BELIEFS: readonly LabelledBelief[] = [
  ...PLAIN_BELIEFS,
  ...DIALOGUE_BELIEFS,
  ...LANGUAGE_BELIEFS,
  ...UNSTATED_BELIEFS,
  ...WORDING_BELIEFS,
  ...FIGURE_BELIEFS,
  ...TURN_BELIEFS,
  ...CLAUSE_BELIEFS,
  ...TONGUE_BELIEFS,
  ...MISATTRIBUTED_BELIEFS,
  ...MISREAD_BELIEFS,
  ...MISREAD_TONGUE_BELIEFS,
  ...POSSESSION_BELIEFS,
  ...REPORTED_BELIEFS,
  ...UNDONE_BELIEFS,
  ...GIVEN_TEXT_BELIEFS,
  ...PASSING_BELIEFS,
  ...OTHERS_BELIEFS,
];
