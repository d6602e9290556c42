/** The domain counts time as the reader of dates does. */
export * from "@agent-memory/text/instant";
