import type { ChatModel, ChatPrompt } from "../../../src/providers/chat-model.ts";
import type { ModelUsage } from "../../../src/providers/model-call.ts";

/** A chat model that says what a test tells it, and records what it was asked. */
export interface ScriptedChatModel {
  readonly model: ChatModel;
  readonly prompts: readonly ChatPrompt[];
}

/** An answer that ended at its limit of tokens. */
export class CutOff {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** What is no text is answered as JSON. */
export type Said = string | object;

export function scriptChatModel(
  answer: Said | ((prompt: ChatPrompt) => Said),
  name = "script-1",
): ScriptedChatModel {
  const prompts: ChatPrompt[] = [];
  return {
    prompts,
    model: {
      provider: "openai",
      model: name,
      async complete(prompt, { signal }) {
        signal.throwIfAborted();
        prompts.push(prompt);
        const said = typeof answer === "function" ? answer(prompt) : answer;
        const isCutOff = said instanceof CutOff;
        const whole = isCutOff ? said.text : said;
        const text = typeof whole === "string" ? whole : JSON.stringify(whole);
        return { text, isCutOff, inputTokens: 10, outputTokens: 5, attempts: 1, durationMs: 3 };
      },
      inTurn: (work) => work(),
    },
  };
}

/** The entries of a prompt's data, line by line. */
export function linesOf({ user }: ChatPrompt): Record<string, unknown>[] {
  return user.split("\n").map((line) => JSON.parse(line));
}

/** A list to report usage to. */
export function recordUsage(): { usages: ModelUsage[]; report: (usage: ModelUsage) => void } {
  const usages: ModelUsage[] = [];
  return { usages, report: (usage) => usages.push(usage) };
}
