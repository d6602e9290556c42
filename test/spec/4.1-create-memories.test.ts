import { autoSupersessionCandidates } from "./4.1/candidates.ts";
import { categoryGate } from "./4.1/category-gate.ts";
import { contentMode } from "./4.1/content-mode.ts";
import { idempotency } from "./4.1/idempotency.ts";
import { knownValidity } from "./4.1/known-validity.ts";
import { messagesMode } from "./4.1/messages-mode.ts";
import { optionalFields } from "./4.1/optional-fields.ts";
import { autoSupersessionOutcomes } from "./4.1/outcomes.ts";
import { refusedWrites } from "./4.1/refused-writes.ts";
import { unavailableModels } from "./4.1/unavailable-models.ts";
import { useSpec } from "./spec.ts";

const spec = useSpec();

contentMode(spec);
messagesMode(spec);
optionalFields(spec);
refusedWrites(spec);
knownValidity(spec);
unavailableModels(spec);
idempotency(spec);
autoSupersessionOutcomes(spec);
autoSupersessionCandidates(spec);
categoryGate(spec);
