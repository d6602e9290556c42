import { ERROR_REASONS } from "@agent-memory/gen/error-reasons";

export { ERROR_REASONS };

export type KnownErrorReason = (typeof ERROR_REASONS)[number];

/** One of those words, or one of a service that is newer than this client. */
export type ErrorReason = KnownErrorReason | (string & Record<never, never>);
