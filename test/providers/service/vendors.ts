import type { ModelChoice } from "../../../src/providers/index.ts";
import { startFakeGemini } from "../../support/fake-gemini.ts";
import { startFakeOpenAi } from "../../support/fake-openai.ts";
import type { FakeModelServer, FakePrompt } from "../../support/fake-upstream.ts";
import { LOCAL_MODELS, type TestAccount, type TestService } from "../../support/service.ts";

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

/**
 * What a good model says to the service's prompts, in the little world of these
 * tests: every message of a user is one fact as it stands, a new fact replaces the
 * first older one, and the first memory answers every question.
 */
export function talkativeModel({ user, schema }: FakePrompt): string {
  const lines: Record<string, unknown>[] = user.split("\n").map((line) => JSON.parse(line));
  if (schema?.properties.facts !== undefined) {
    const facts = lines
      .filter(({ role }) => role === "user")
      .map(({ message, text }) => ({
        message,
        quote: text,
        fact: text,
        topic: "Location",
        importance: 6,
      }));
    return JSON.stringify({ facts });
  }
  if (schema !== null) {
    const verdict = {
      older: 1,
      reason: "A newer value of the same attribute.",
      verdict: "replaces",
      confidence: 0.97,
    };
    return JSON.stringify({ verdicts: [verdict] });
  }
  return `${lines[0]?.text} [mem-${lines[0]?.memory}].`;
}

/** What the database holds of an account, and what it was charged. */
export async function storedOf(
  { context }: TestService,
  { companyId, rest }: TestAccount,
): Promise<{
  readonly memories: number;
  readonly vectors: number;
  readonly events: number;
  readonly writesUsed: number;
}> {
  const count = async (table: "memories" | "memory_vectors" | "audit_events") => {
    const { rows } = await context.db
      .selectFrom(table)
      .select((expression) => expression.fn.countAll<number>().as("rows"))
      .where("company_id", "=", companyId)
      .executeTakeFirstOrThrow();
    return Number(rows);
  };
  const { body } = await rest("GET", "/plan/status");
  return {
    memories: await count("memories"),
    vectors: await count("memory_vectors"),
    events: await count("audit_events"),
    writesUsed: body.writes_used,
  };
}
