/**
 * What a model that always thinks may spend on it. Its thoughts count as output,
 * so that a limit meant for the answer alone would end the call without one.
 */
export const THOUGHT_TOKENS = 8_192;
