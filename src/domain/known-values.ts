/** The fields whose known values are suggested, to narrow lists of memories by. */
export type KnownValueField = "tenant_id" | "topic" | "source" | "session_id";

/** Suggestions at once: as many as a person reads. */
export const MAX_KNOWN_VALUES = 20;
/** Suggestions of what has no index of its own are those of so many of the newest memories. */
export const MEMORIES_WITH_KNOWN_VALUES = 2_000;
