import { citeAnswer } from "../../domain/citations.ts";
import type { Answerer } from "../answerer.ts";
import type { ChatModel } from "../chat-model.ts";
import { answerPrompt, NO_ANSWER } from "./answer-prompt.ts";
import { nonsense, usageOf } from "./model-answer.ts";

const NONE_ANSWERS = "None of the memories answers this question.";

/** Lets a chat model answer from memories, in one call. */
export function createChatAnswerer(model: ChatModel): Answerer {
  return {
    async answer(question, signal, report) {
      const completion = await model.complete(answerPrompt(question), signal);
      report?.(usageOf("answer", model, completion));
      const { answer } = citeAnswer(completion.text, question.memories.length);
      if (!/[\p{L}\p{N}]/u.test(answer)) throw nonsense("an empty answer");
      return answer.includes(NO_ANSWER) ? NONE_ANSWERS : completion.text;
    },
  };
}
