/** For the tests and builds of this repository. It is not published. */
export { createClientOver, createServiceClient } from "./client.ts";
export { connectByFetch, type FetchClientOptions } from "./fetch-connections.ts";
export { PLATFORM } from "./platform.ts";
export { isIdempotentAt, takesKeyAt } from "./rest-client.ts";
export { isIdempotent, KEYED_METHODS } from "./retries.ts";
export { answerOf, MAX_ANSWER_BYTES } from "./tools/answers.ts";
export { TOOLS } from "./tools/tools.ts";
