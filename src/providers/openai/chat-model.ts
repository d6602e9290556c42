import type { OpenAI } from "openai";
import { answerText, type ChatModel, type ChatPrompt, THOUGHT_TOKENS } from "../chat-model.ts";
import { tokenCount } from "../model-call.ts";
import type { RemoteModel } from "../upstream/upstream.ts";
import { UpstreamError, unusable } from "../upstream/upstream-error.ts";
import { createOpenAiClient, createParameterChoice, type OptionalParameter } from "./client.ts";

type Completion = OpenAI.Chat.ChatCompletion;
type Choice = OpenAI.Chat.ChatCompletion.Choice;
type Request = OpenAI.Chat.ChatCompletionCreateParamsNonStreaming;

/** A chat model of an endpoint that speaks the OpenAI API. */
export function createOpenAiChatModel(options: RemoteModel): ChatModel {
  const { model, upstream } = options;
  const client = createOpenAiClient(options);
  const parameters = createParameterChoice(["response_format", "temperature", "max_tokens"]);
  return {
    provider: "openai",
    model,
    async complete(prompt, call) {
      const { value, ...taken } = await upstream.call(async () => {
        const completion = await parameters.send((omitted) =>
          client.chat.completions.create(requestFor(model, prompt, omitted)),
        );
        return readCompletion(completion);
      }, call);
      return { ...value, ...taken };
    },
    inTurn: upstream.inTurn,
  };
}

function requestFor(
  model: string,
  { system, user, schema, maxOutputTokens }: ChatPrompt,
  omitted: ReadonlySet<OptionalParameter>,
): Request {
  const isSchemaTold = schema !== null && omitted.has("response_format");
  return {
    model,
    messages: [
      { role: "system", content: isSchemaTold ? withSchema(system, schema) : system },
      { role: "user", content: user },
    ],
    ...(!omitted.has("temperature") && { temperature: 0 }),
    // The newer name is asked for by models that think before they answer.
    ...(omitted.has("max_tokens")
      ? { max_completion_tokens: maxOutputTokens + THOUGHT_TOKENS }
      : { max_tokens: maxOutputTokens }),
    ...(schema !== null &&
      !isSchemaTold && {
        response_format: {
          type: "json_schema",
          json_schema: { name: "answer", strict: true, schema: { ...schema } },
        },
      }),
  };
}

/** For an endpoint that can't be held to a schema. */
function withSchema(system: string, schema: object): string {
  return `${system}\n\nAnswer with one JSON object that matches this JSON Schema, and nothing else:\n${JSON.stringify(schema)}`;
}

/** The type is what an endpoint promises, no more. */
function readCompletion(completion: Partial<Completion> | null) {
  if (typeof completion !== "object") throw new UpstreamError({ kind: "garbled" });
  const choice: Partial<Choice> | undefined = completion?.choices?.[0];
  if (choice?.message?.refusal) throw unusable("a refusal");
  if (choice?.finish_reason === "content_filter") throw unusable("it was filtered");
  return {
    text: answerText(choice?.message?.content),
    isCutOff: choice?.finish_reason === "length",
    inputTokens: tokenCount(completion?.usage?.prompt_tokens),
    outputTokens: tokenCount(completion?.usage?.completion_tokens),
  };
}
