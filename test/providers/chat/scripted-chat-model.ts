import type { ChatModel, ChatPrompt } from "../../../src/providers/chat-model.ts";
import type { ModelCall, ModelUsage } from "../../../src/providers/model-call.ts";

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

/** A refusal to answer, or to go on. */
export class Refused {
  readonly text = "I can't help with that.";
}

/** What is no text is answered as JSON. */
export type Said = string | object;

export interface ScriptOptions {
  readonly name?: string;
  readonly mayThinkAloud?: boolean;
  /** How a streamed answer is cut in pieces; by default into its characters. */
  readonly cut?: (text: string) => Iterable<string>;
}

export function scriptChatModel(
  answer: Said | ((prompt: ChatPrompt) => Said),
  { name = "script-1", mayThinkAloud = false, cut = (text) => [...text] }: ScriptOptions = {},
): ScriptedChatModel {
  const prompts: ChatPrompt[] = [];
  function say(prompt: ChatPrompt, { signal }: ModelCall) {
    signal.throwIfAborted();
    prompts.push(prompt);
    const said = typeof answer === "function" ? answer(prompt) : answer;
    const isCutOff = said instanceof CutOff;
    const isRefused = said instanceof Refused;
    const whole = isCutOff || isRefused ? said.text : said;
    const text = typeof whole === "string" ? whole : JSON.stringify(whole);
    const cost = { inputTokens: 10, outputTokens: 5, attempts: 1, durationMs: 3 };
    return { text, isCutOff, isRefused, ...cost };
  }
  return {
    prompts,
    model: {
      provider: "openai",
      model: name,
      mayThinkAloud,
      async complete(prompt, call, onText) {
        const completion = say(prompt, call);
        if (onText) for (const piece of cut(completion.text)) onText(piece);
        return completion;
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
