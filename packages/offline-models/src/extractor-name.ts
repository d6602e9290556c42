/** What the local extractor is called wherever models are named. Other rules are another model. */
export const LOCAL_EXTRACTOR = { provider: "local", model: "sentence-rules-5" } as const;
