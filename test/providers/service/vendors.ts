import type { ModelChoice } from "../../../src/providers/index.ts";
import { startFakeGemini } from "../../support/fake-gemini.ts";
import { startFakeOpenAi } from "../../support/fake-openai.ts";
import type { FakeModelServer } from "../../support/fake-upstream.ts";
import { LOCAL_MODELS } from "../../support/service.ts";

export type VendorName = "gemini" | "openai";

/** Keys that must be nowhere but in the request to their vendor. */
export const VENDOR_KEYS: Readonly<Record<VendorName, string>> = {
  gemini: "AIza-operators-gemini-key-5f2c81",
  openai: "sk-operators-openai-key-77b0d4",
};

export async function startFakeVendor(name: VendorName): Promise<FakeModelServer> {
  const server = await (name === "gemini" ? startFakeGemini() : startFakeOpenAi());
  server.key = VENDOR_KEYS[name];
  return server;
}

/** A vendor for chat and embeddings. */
export function choiceOf(
  name: VendorName,
  { origin }: FakeModelServer,
  change: Partial<ModelChoice> = {},
): ModelChoice {
  return {
    ...LOCAL_MODELS,
    chat: { provider: name, model: "gemini-2.5-flash" },
    embeddings: { provider: name, model: "gemini-embedding-001", dimensions: 768 },
    gemini: { apiKey: VENDOR_KEYS.gemini, baseUrl: name === "gemini" ? origin : null },
    openai: { apiKey: VENDOR_KEYS.openai, baseUrl: name === "openai" ? `${origin}/v1` : null },
    ...change,
  };
}
