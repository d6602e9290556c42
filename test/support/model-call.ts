import type { ModelCall } from "../../src/providers/model-call.ts";

/** A call of a model for the service itself, that nobody ends. */
export const CALL: ModelCall = { owner: null, signal: new AbortController().signal };
