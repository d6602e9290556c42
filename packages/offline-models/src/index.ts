import { createLocalEmbedder } from "./embedder.ts";
import {
  type Answerer,
  type Embedder,
  type Extractor,
  LOCAL_EXTRACTOR,
  type SupersessionClassifier,
} from "./models.ts";

export { createLocalEmbedder } from "./embedder.ts";
export { MAX_FACTS, MAX_REJECTED_FACTS, MAX_RETRACTIONS } from "./models.ts";

/** The models that run in the process itself: deterministic, offline, free (D26). */
export interface LocalProviders {
  readonly embedder: Embedder;
  readonly extractor: Extractor;
  readonly answerer: Answerer;
  readonly classifier: SupersessionClassifier;
}

/** All but the embedder are loaded where they are first used: they take time and memory. */
export function createLocalProviders(): LocalProviders {
  return {
    embedder: createLocalEmbedder(),
    extractor: {
      ...LOCAL_EXTRACTOR,
      extract: async (...asked) =>
        (await import("./extractor.ts")).createLocalExtractor().extract(...asked),
    },
    answerer: {
      answer: async (...asked) =>
        (await import("./answerer.ts")).createLocalAnswerer().answer(...asked),
    },
    classifier: {
      classify: async (...asked) =>
        (await import("./classifier.ts")).createLocalClassifier().classify(...asked),
    },
  };
}
