import type { ChatModel } from "../chat-model.ts";
import type { Classification, SupersessionClassifier } from "../supersession-classifier.ts";
import { classificationPrompt, REPLACES, VERDICTS } from "./classification-prompt.ts";
import { isInstructionLike } from "./instruction-like.ts";
import { oneLine, parseObject, usageOf } from "./model-answer.ts";

const MAX_REASON_CHARACTERS = 300;

/**
 * Lets a chat model decide whether a fact replaces an older one, in one call.
 * `modelFor` gives the model for the setting `classifier_model` (D26).
 *
 * Whatever of the answer can't be used makes it the safe one: nothing is replaced,
 * with confidence 0.
 */
export function createChatClassifier(
  modelFor: (model: string) => ChatModel,
): SupersessionClassifier {
  return {
    async classify(input, signal, report) {
      const model = modelFor(input.model);
      if (isInstructionLike(input.fact.decision)) {
        return replacesNothing(
          model,
          "The fact is addressed to a model, so that it replaces nothing.",
        );
      }
      const completion = await model.complete(classificationPrompt(input), signal);
      report?.(usageOf("classify", model, completion));
      return (
        readClassification(completion.text, input.candidates.length, model) ??
        replacesNothing(model, "The model's answer could not be used.")
      );
    },
  };
}

function readClassification(
  answer: string,
  candidates: number,
  { model }: ChatModel,
): Classification | null {
  const { reason, verdict, target, confidence } = parseObject(answer) ?? {};
  if (typeof confidence !== "number" || !(confidence >= 0 && confidence <= 1)) return null;
  if (!VERDICTS.some((known) => known === verdict)) return null;
  const said = {
    confidence,
    reason: oneLine(reason).slice(0, MAX_REASON_CHARACTERS).toWellFormed(),
    model,
  };
  if (verdict !== REPLACES) return { supersededIndex: null, ...said };
  const isOffered = Number.isInteger(target) && Number(target) >= 1 && Number(target) <= candidates;
  return isOffered ? { supersededIndex: Number(target) - 1, ...said } : null;
}

function replacesNothing({ model }: ChatModel, reason: string): Classification {
  return { supersededIndex: null, confidence: 0, reason, model };
}
