import type { UpstreamLimits } from "./upstream/upstream.ts";

/** Where models run: in the process itself, or at a vendor's address. */
export type ModelProvider = "local" | "gemini" | "openai";

export type EmbeddingChoice =
  | { readonly provider: "local" }
  | {
      readonly provider: "gemini" | "openai";
      readonly model: string;
      readonly dimensions: number;
    };

/** Which models serve, as the operator chose; chat and embeddings apart. */
export interface ModelChoice {
  readonly chat:
    | { readonly provider: "local" }
    | { readonly provider: "gemini" | "openai"; readonly model: string };
  readonly embeddings: EmbeddingChoice;
  /** What the database is to move to; null: it stays. */
  readonly nextEmbeddings: EmbeddingChoice | null;
  /** null: without a key, and so not chosen. A null `baseUrl` is the vendor's own address. */
  readonly gemini: { readonly apiKey: string; readonly baseUrl: string | null } | null;
  /** Without a key where the endpoint asks for none. */
  readonly openai: { readonly apiKey: string | null; readonly baseUrl: string | null };
  readonly limits: UpstreamLimits;
  /** Hosts of callers' own models (D27): host or host:port. */
  readonly llmAllowedHosts: readonly string[];
}
