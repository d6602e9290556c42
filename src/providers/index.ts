import { createLocalProviders } from "@agent-memory/offline-models";
import type { Llm } from "../domain/memory-write.ts";
import { createCallerModels } from "./caller-models.ts";
import { createChatAnswerer } from "./chat/answerer.ts";
import { createChatClassifier } from "./chat/classifier.ts";
import { createChatExtractor } from "./chat/extractor.ts";
import type { Embedder } from "./embedder.ts";
import type { Extractor } from "./extractor.ts";
import type { ResolveHost } from "./safe-address/allowed-hosts.ts";
import { type LocalModels, localModelsIn } from "./threads/local-models.ts";
import type { ModelThreads } from "./threads/model-threads.ts";
import {
  createUpstream,
  type RemoteModel,
  type Upstream,
  type UpstreamLimits,
} from "./upstream/upstream.ts";
import { VENDORS, type VendorName } from "./vendors.ts";

/** Where a model runs: in this process, or at a vendor's address. */
export type ModelProvider = "local" | VendorName;

export type EmbeddingChoice =
  | { readonly provider: "local" }
  | {
      readonly provider: VendorName;
      readonly model: string;
      readonly dimensions: number;
    };

/** The operator's choice of models. Chat and embeddings are chosen apart. */
export interface ModelChoice {
  readonly chat:
    | { readonly provider: "local" }
    | { readonly provider: VendorName; readonly model: string };
  readonly embeddings: EmbeddingChoice;
  /** The embedding model that the database moves to; null: it stays with `embeddings`. */
  readonly nextEmbeddings: EmbeddingChoice | null;
  /** null: without a key Gemini is not chosen. A null `baseUrl` is the vendor's own address. */
  readonly gemini: { readonly apiKey: string; readonly baseUrl: string | null } | null;
  /** A null `apiKey`: the endpoint needs none. A null `baseUrl` is the vendor's own address. */
  readonly openai: { readonly apiKey: string | null; readonly baseUrl: string | null };
  readonly limits: UpstreamLimits;
  /** Hosts, as host or host:port, of callers' own models (D27). */
  readonly llmAllowedHosts: readonly string[];
}

export interface Models extends LocalModels {
  /** The embedder that the database moves to; null: it stays with `embedder`. */
  readonly nextEmbedder: Embedder | null;
  /** A caller's own model, for one call (D27). Throws `invalid_field` where that is forbidden. */
  extractorOf(llm: Llm): Extractor;
}

export interface ModelRuntime {
  /** Milliseconds of a clock that only goes forward. */
  monotonicMs(): number;
  /** Resolves the hosts of callers' own models. Default: the system's resolver. */
  readonly resolve?: ResolveHost;
  /** Receives the upstream of each provider of the operator's models. */
  readonly onUpstream?: (provider: string, upstream: Upstream) => void;
  /** Threads for the models of this process. Default: the calling thread. */
  readonly threads?: ModelThreads;
}

/** Makes the models that the operator chose. It calls none of them. */
export function createModels(choice: ModelChoice, runtime: ModelRuntime): Models {
  const { monotonicMs, threads } = runtime;
  const local: LocalModels =
    threads === undefined ? createLocalProviders() : localModelsIn(threads);
  const upstreams = { gemini: upstreamOf("gemini"), openai: upstreamOf("openai") };

  function upstreamOf(provider: VendorName) {
    return createUpstream({
      ...choice.limits,
      provider,
      dispatcher: null,
      breaksCircuit: true,
      monotonicMs,
    });
  }

  function remoteModel(provider: VendorName, model: string): RemoteModel {
    runtime.onUpstream?.(provider, upstreams[provider]);
    const { apiKey, baseUrl } = choice[provider] ?? { apiKey: null, baseUrl: null };
    return {
      apiKey,
      baseUrl: (baseUrl ?? VENDORS[provider].baseUrl).replace(/\/+$/, ""),
      model,
      upstream: upstreams[provider],
    };
  }

  function embedder(embeddings: EmbeddingChoice): Embedder {
    if (embeddings.provider === "local") return local.embedder;
    const { provider, model, dimensions } = embeddings;
    return VENDORS[provider].createEmbedder({ ...remoteModel(provider, model), dimensions });
  }

  function chat(): Pick<Models, "extractor" | "answerer" | "classifier"> {
    if (choice.chat.provider === "local") return local;
    const { provider, model: name } = choice.chat;
    const named = (name: string) => VENDORS[provider].createChatModel(remoteModel(provider, name));
    const model = named(name);
    return {
      extractor: createChatExtractor(model),
      answerer: createChatAnswerer(model),
      // The setting `classifier_model` names models of Gemini only (D26).
      classifier: createChatClassifier(provider === "gemini" ? named : () => model),
    };
  }

  const callerModels = createCallerModels({
    allowedHosts: choice.llmAllowedHosts,
    limits: choice.limits,
    ...runtime,
  });
  const { extractor, answerer, classifier } = chat();
  return {
    embedder: embedder(choice.embeddings),
    nextEmbedder: choice.nextEmbeddings === null ? null : embedder(choice.nextEmbeddings),
    extractor,
    answerer,
    classifier,
    extractorOf: (llm) => createChatExtractor(callerModels(llm)),
  };
}
