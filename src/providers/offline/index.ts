import type { Answerer } from "../answerer.ts";
import type { Embedder } from "../embedder.ts";
import type { Extractor } from "../extractor.ts";
import type { SupersessionClassifier } from "../supersession-classifier.ts";
import { createLocalAnswerer } from "./answerer.ts";
import { createLocalClassifier } from "./classifier.ts";
import { createLocalEmbedder } from "./embedder.ts";
import { createLocalExtractor } from "./extractor.ts";

/** The models that run in the process itself: deterministic, offline, free (D26). */
export interface LocalProviders {
  readonly embedder: Embedder;
  readonly extractor: Extractor;
  readonly answerer: Answerer;
  readonly classifier: SupersessionClassifier;
}

export function createLocalProviders(): LocalProviders {
  return {
    embedder: createLocalEmbedder(),
    extractor: createLocalExtractor(),
    answerer: createLocalAnswerer(),
    classifier: createLocalClassifier(),
  };
}
