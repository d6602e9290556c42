import type { LanguageModelMiddleware } from "ai";
import type { AgentMemoryClient } from "../client.ts";
import { createTurns, type Recalled, type Said, type TurnOptions } from "./turns.ts";

type Generate = NonNullable<LanguageModelMiddleware["wrapGenerate"]>;
type CallOptions = Parameters<Generate>[0]["params"];
type Prompt = CallOptions["prompt"];

/**
 * For `wrapLanguageModel` of the Vercel AI SDK: recalls before each call of the model, and
 * records what the user and the model said when a turn ends. The stable part of what is known
 * begins the prompt; what has to do with the question stands before it. A call waits for its
 * recording, so that nothing is lost where a program ends with its answer.
 */
export function memoryMiddleware(
  client: Pick<AgentMemoryClient, "memories">,
  options?: TurnOptions,
): LanguageModelMiddleware {
  const turns = createTurns(client, options);
  const recalledFor = async (params: CallOptions): Promise<CallOptions> => {
    const recalled = await turns.recall(lastQuestion(params.prompt));
    if (recalled === null) return params;
    return { ...params, prompt: withRecalled(params.prompt, recalled) };
  };
  const recordTurn = (prompt: Prompt, answer: string) => {
    const said: Said[] = [{ role: "user", content: lastQuestion(prompt) }];
    return turns.record([...said, { role: "assistant", content: answer }]);
  };
  return {
    specificationVersion: "v4",
    async wrapGenerate({ model, params }) {
      const result = await model.doGenerate(await recalledFor(params));
      // The answer to what its tools gave ends the turn.
      if (result.finishReason.unified !== "tool-calls") {
        const texts = result.content.map((part) => (part.type === "text" ? part.text : ""));
        await recordTurn(params.prompt, texts.join(""));
      }
      return result;
    },
    async wrapStream({ model, params }) {
      const { stream, ...rest } = await model.doStream(await recalledFor(params));
      let answer = "";
      let isEnded = false;
      type Part = typeof stream extends ReadableStream<infer Each> ? Each : never;
      const recorded = new TransformStream<Part, Part>({
        transform(part, controller) {
          if (part.type === "text-delta") answer += part.delta;
          if (part.type === "finish") isEnded = part.finishReason.unified !== "tool-calls";
          controller.enqueue(part);
        },
        flush: () => (isEnded ? recordTurn(params.prompt, answer) : undefined),
      });
      return { stream: stream.pipeThrough(recorded), ...rest };
    },
  };
}

function lastQuestion(prompt: Prompt): string {
  const message = prompt.findLast(({ role }) => role === "user");
  if (message?.role !== "user") return "";
  return message.content.map((part) => (part.type === "text" ? part.text : "")).join("\n");
}

function withRecalled(prompt: Prompt, { stable, relevant }: Recalled): Prompt {
  const last = prompt.findLastIndex(({ role }) => role === "user");
  const asked = prompt.map((message, index) =>
    index === last && message.role === "user" && relevant !== ""
      ? { ...message, content: [{ type: "text" as const, text: relevant }, ...message.content] }
      : message,
  );
  return stable === "" ? asked : [{ role: "system", content: stable }, ...asked];
}
