import { Failure } from "../../src/domain/failure.ts";
import type { FactRejection, ModelUsage } from "../../src/providers/model-call.ts";
import type { MeasuredProviders } from "./measure.ts";

/** What a measurement cost, and what went wrong in it. */
export interface ModelCosts {
  calls: number;
  /** As far as the provider tells. */
  inputTokens: number;
  outputTokens: number;
  /** Calls that failed or brought nonsense; they count as having found nothing. */
  failures: number;
  /** Facts that were stated and not believed. */
  readonly rejections: Map<FactRejection, number>;
}

/** The same models, which go on after a failed call, and what their calls cost. */
export function countModels(models: MeasuredProviders): {
  models: MeasuredProviders;
  costs: ModelCosts;
} {
  const costs: ModelCosts = {
    calls: 0,
    inputTokens: 0,
    outputTokens: 0,
    failures: 0,
    rejections: new Map(),
  };
  function report({ inputTokens, outputTokens, rejections = [] }: ModelUsage): void {
    costs.calls += 1;
    costs.inputTokens += inputTokens ?? 0;
    costs.outputTokens += outputTokens ?? 0;
    for (const reason of rejections) {
      costs.rejections.set(reason, (costs.rejections.get(reason) ?? 0) + 1);
    }
  }
  async function orNothing<T>(call: Promise<T>, nothing: T): Promise<T> {
    try {
      return await call;
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      costs.failures += 1;
      return nothing;
    }
  }
  const { embedder, extractor, answerer, classifier } = models;
  const noneReplaced = { supersededIndex: null, confidence: 0, reason: "", model: "" };
  return {
    costs,
    models: {
      embedder: {
        space: embedder.space,
        embed: (texts, purpose, signal) => embedder.embed(texts, purpose, signal, report),
      },
      extractor: {
        ...extractor,
        extract: (conversation, signal) =>
          orNothing(extractor.extract(conversation, signal, report), { facts: [], rejected: [] }),
      },
      answerer: {
        answer: (question, signal) => orNothing(answerer.answer(question, signal, report), ""),
      },
      classifier: {
        classify: (input, signal) =>
          orNothing(classifier.classify(input, signal, report), noneReplaced),
      },
    },
  };
}
