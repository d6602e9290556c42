import type { Llm } from "../domain/llm.ts";
import type { Answerer } from "./answerer.ts";
import { createCallerModels } from "./caller-models.ts";
import { createChatAnswerer } from "./chat/answerer.ts";
import { createChatClassifier } from "./chat/classifier.ts";
import { createChatExtractor } from "./chat/extractor.ts";
import type { ChatModel } from "./chat-model.ts";
import type { Embedder } from "./embedder.ts";
import type { Extractor } from "./extractor.ts";
import { createGeminiChatModel } from "./gemini/chat-model.ts";
import { GEMINI_BASE_URL } from "./gemini/client.ts";
import { createGeminiEmbedder } from "./gemini/embedder.ts";
import type { EmbeddingChoice, ModelChoice } from "./model-choice.ts";
import { createLocalProviders } from "./offline/index.ts";
import { createOpenAiChatModel } from "./openai/chat-model.ts";
import { OPENAI_BASE_URL } from "./openai/client.ts";
import { createOpenAiEmbedder } from "./openai/embedder.ts";
import type { ResolveHost } from "./safe-address/guarded-dispatcher.ts";
import type { SupersessionClassifier } from "./supersession-classifier.ts";
import { createUpstream } from "./upstream/upstream.ts";

/** The models that the service calls. */
export interface Models {
  readonly embedder: Embedder;
  /** The one that the database is to move to; null: it stays. */
  readonly nextEmbedder: Embedder | null;
  readonly extractor: Extractor;
  /**
   * The extractor of a caller's own model, for one call (D27). Throws
   * `invalid_field` for one that this server may not call.
   */
  extractorOf(llm: Llm): Extractor;
  readonly answerer: Answerer;
  readonly classifier: SupersessionClassifier;
}

export interface ModelRuntime {
  /** Milliseconds of a clock that only goes forward. */
  monotonicMs(): number;
  /** In place of the system's resolver, for the hosts of callers' own models. */
  readonly resolve?: ResolveHost;
}

/** The models that the operator chose, ready to be called. Nothing is called yet. */
export function createModels(choice: ModelChoice, runtime: ModelRuntime): Models {
  const { monotonicMs } = runtime;
  const local = createLocalProviders();
  const vendors = {
    gemini: {
      apiKey: choice.gemini?.apiKey ?? "",
      baseUrl: withoutSlash(choice.gemini?.baseUrl ?? GEMINI_BASE_URL),
      upstream: upstreamOf("gemini"),
    },
    openai: {
      apiKey: choice.openai.apiKey,
      baseUrl: withoutSlash(choice.openai.baseUrl ?? OPENAI_BASE_URL),
      upstream: upstreamOf("openai"),
    },
  };

  function upstreamOf(provider: "gemini" | "openai") {
    return createUpstream({
      ...choice.limits,
      provider,
      dispatcher: null,
      breaksCircuit: true,
      monotonicMs,
    });
  }

  function embedder(embeddings: EmbeddingChoice): Embedder {
    switch (embeddings.provider) {
      case "local":
        return local.embedder;
      case "gemini":
        return createGeminiEmbedder({ ...vendors.gemini, ...embeddings });
      case "openai":
        return createOpenAiEmbedder({ ...vendors.openai, ...embeddings });
    }
  }

  function chat(): Pick<Models, "extractor" | "answerer" | "classifier"> {
    const { chat } = choice;
    if (chat.provider === "local") return local;
    const model: ChatModel =
      chat.provider === "gemini"
        ? createGeminiChatModel({ ...vendors.gemini, ...chat })
        : createOpenAiChatModel({ ...vendors.openai, ...chat });
    return {
      extractor: createChatExtractor(model),
      answerer: createChatAnswerer(model),
      // The setting `classifier_model` names models of Gemini only (D26).
      classifier: createChatClassifier((name) =>
        chat.provider === "gemini"
          ? createGeminiChatModel({ ...vendors.gemini, model: name })
          : model,
      ),
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

function withoutSlash(url: string): string {
  return url.replace(/\/+$/, "");
}
