import { createLocalProviders } from "@agent-memory/offline-models";
import type { Answerer } from "../answerer.ts";
import type { Embedder } from "../embedder.ts";
import type { Extractor } from "../extractor.ts";
import { type ModelCall, watched } from "../model-call.ts";
import type { ClassifiedFact, SupersessionClassifier } from "../supersession-classifier.ts";
import type { ModelThreads } from "./model-threads.ts";
import type { TaskInput, TaskOutput } from "./thread.ts";

/** As much text is embedded at once, in a few milliseconds: the way to a thread may take longer. */
const MAX_CHARACTERS_AT_ONCE = 2_048;
const MAX_TEXTS_AT_ONCE = 16;

/** The models that run in the process itself, as the service calls them. */
export interface LocalModels {
  readonly embedder: Embedder;
  readonly extractor: Extractor;
  readonly answerer: Answerer;
  readonly classifier: SupersessionClassifier;
}

/** The local models. They work in threads. */
export function localModelsIn(threads: ModelThreads): LocalModels {
  const { embedder, extractor }: LocalModels = createLocalProviders();
  return {
    embedder: embedderIn(threads, embedder),
    extractor: {
      ...extractor,
      extract: (conversation, call) => run("extract", conversation, call),
    },
    answerer: { answer: (question, call) => run("answer", question, call) },
    classifier: {
      classify: ({ fact, candidates, ...input }, call) =>
        run(
          "classify",
          { ...input, fact: classifiedFields(fact), candidates: candidates.map(classifiedFields) },
          call,
        ),
    },
  };

  function run<Name extends "extract" | "answer" | "classify">(
    operation: Name,
    input: TaskInput<Name>,
    call: ModelCall,
  ): Promise<TaskOutput<Name>> {
    const { provider, model } = extractor;
    return watched(call, { operation, provider, model }, () => threads.run(operation, input, call));
  }
}

/** The input may have more fields than these, and all of them would be copied. */
function classifiedFields({ decision, topic, statedAt }: ClassifiedFact): ClassifiedFact {
  return { decision, topic, statedAt };
}

function embedderIn(threads: ModelThreads, embedder: Embedder): Embedder {
  return {
    ...embedder,
    embed(texts, purpose, call) {
      const characters = texts.reduce((sum, { length }) => sum + length, 0);
      const isSmall = texts.length <= MAX_TEXTS_AT_ONCE && characters <= MAX_CHARACTERS_AT_ONCE;
      const { provider, model } = embedder.space;
      return watched(call, { operation: "embed", provider, model }, () =>
        isSmall
          ? embedder.embed(texts, purpose, call)
          : threads.run("embed", [texts, purpose], call),
      );
    },
  };
}
