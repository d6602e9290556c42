import type { ChatModel, ChatPrompt } from "../../../src/providers/chat-model.ts";
import type { ModelUsage } from "../../../src/providers/model-call.ts";

/** A chat model that says what a test tells it, and records what it was asked. */
export interface ScriptedChatModel {
  readonly model: ChatModel;
  readonly prompts: readonly ChatPrompt[];
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
      async complete(prompt, signal) {
        signal.throwIfAborted();
        prompts.push(prompt);
        const said = typeof answer === "function" ? answer(prompt) : answer;
        const text = typeof said === "string" ? said : JSON.stringify(said);
        return { text, inputTokens: 10, outputTokens: 5, attempts: 1, durationMs: 3 };
      },
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

export const never = new AbortController().signal;
