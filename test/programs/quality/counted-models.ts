import { uncited } from "../../../src/domain/citations.ts";
import { Failure } from "../../../src/domain/failure.ts";
import type { FactRejection, ModelUsage, ReportUsage } from "../../../src/providers/model-call.ts";
import type { MeasuredProviders } from "./measure.ts";

/** What a measurement cost, and what went wrong in it. */
export interface ModelCosts {
  calls: number;
  /** As far as the provider tells. */
  inputTokens: number;
  outputTokens: number;
  /** Of all calls together, retries and waits included. */
  milliseconds: number;
  /** Calls that failed or brought nonsense; they count as having found nothing. */
  failures: number;
  /** Facts that were stated and not believed. */
  readonly rejections: Map<FactRejection, number>;
}

/** The same models, which go on after a failed call, and what their calls cost. */
export function countModels(models: MeasuredProviders): {
  models: MeasuredProviders;
  /** Counts a call of another model too. */
  report: ReportUsage;
  costs: ModelCosts;
} {
  const costs: ModelCosts = {
    calls: 0,
    inputTokens: 0,
    outputTokens: 0,
    milliseconds: 0,
    failures: 0,
    rejections: new Map(),
  };
  function report({ inputTokens, outputTokens, durationMs, facts }: ModelUsage): void {
    costs.calls += 1;
    costs.milliseconds += durationMs;
    costs.inputTokens += inputTokens ?? 0;
    costs.outputTokens += outputTokens ?? 0;
    for (const reason of facts?.rejections ?? []) {
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
  const noneReplaced = { superseded: [], confidence: 0, reason: "", model: "" };
  return {
    costs,
    report,
    models: {
      embedder: {
        space: embedder.space,
        embed: (texts, purpose, call) => embedder.embed(texts, purpose, { ...call, report }),
      },
      extractor: {
        ...extractor,
        extract: (conversation, call) =>
          orNothing(extractor.extract(conversation, { ...call, report }), {
            facts: [],
            retractions: [],
            rejected: [],
          }),
      },
      answerer: {
        answer: (question, call) =>
          orNothing(answerer.answer(question, { ...call, report }), uncited("")),
      },
      classifier: {
        classify: (input, call) =>
          orNothing(classifier.classify(input, { ...call, report }), noneReplaced),
      },
    },
  };
}

/** In words; what was spent since `before`, where it is given. */
export function costText(costs: ModelCosts, before?: ModelCosts): string {
  const since = (key: "calls" | "failures" | "inputTokens" | "outputTokens" | "milliseconds") =>
    costs[key] - (before?.[key] ?? 0);
  const seconds = (since("milliseconds") / 1_000).toFixed(1);
  return `${since("calls")} calls of models in ${seconds} s, ${since("failures")} failed; tokens: ${since("inputTokens")} in, ${since("outputTokens")} out`;
}
