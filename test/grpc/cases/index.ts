import type { Scenario } from "../scenario.ts";
import { FAILURES } from "./failures.ts";
import { INVALID_FIELDS } from "./invalid-fields.ts";
import { READS } from "./reads.ts";
import { RIGHTS_OF_KEYS } from "./rights.ts";
import { TRANSFERS } from "./transfers.ts";
import { WRITES } from "./writes.ts";

/** Everything that must be the same in every protocol. */
export const SCENARIOS: readonly Scenario[] = [
  ...WRITES,
  ...READS,
  ...TRANSFERS,
  ...RIGHTS_OF_KEYS,
  ...FAILURES,
  ...INVALID_FIELDS,
];
