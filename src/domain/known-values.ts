/** The fields whose known values are suggested, to narrow lists of memories by. */
export type KnownValueField = "topic" | "source" | "session_id";

/** Suggestions at once: as many as a person reads. */
export const MAX_KNOWN_VALUES = 20;
/** They are those of so many of the newest memories. */
export const MEMORIES_WITH_KNOWN_VALUES = 2_000;
