import {
  type AnswerPiece,
  type ChatModel,
  type ChatPrompt,
  createRemoteChatModel,
  THOUGHT_TOKENS,
} from "../chat-model.ts";
import { tokenCount } from "../model-call.ts";
import { isEventStream } from "../upstream/exchange.ts";
import type { RemoteModel } from "../upstream/upstream.ts";
import { unusable } from "../upstream/upstream-error.ts";
import { createPost, OPENAI_BASE_URL, type OptionalParameter } from "./client.ts";

/** The event behind the last piece. */
const DONE = "[DONE]";

/** An answer, or a piece of one, as the API describes it. Untrusted. */
interface Completion {
  readonly choices?: unknown;
  readonly usage?: {
    readonly prompt_tokens?: unknown;
    readonly completion_tokens?: unknown;
  } | null;
}

interface Choice {
  readonly index?: unknown;
  readonly message?: Said | null;
  /** In the place of `message`, in a piece. */
  readonly delta?: Said | null;
  readonly finish_reason?: string | null;
}

interface Said {
  readonly content?: unknown;
  readonly refusal?: unknown;
}

/** OpenAI's models that think: they take no temperature, and the newer name of the limit. */
const THINKS = /^(?:o\d|gpt-[5-9])/;
/** Open models that think: their makers advise against a temperature of 0. */
const WANTS_OWN_TEMPERATURE =
  /(?:^|\/)(?:gpt-oss|qwen3|qwq|deepseek-r|deepseek-reasoner|magistral)/i;

function omittedFor(model: string): OptionalParameter[] {
  if (THINKS.test(model)) return ["temperature", "max_tokens"];
  return WANTS_OWN_TEMPERATURE.test(model) ? ["temperature"] : [];
}

/** A chat model of an endpoint that speaks the OpenAI API. */
export function createOpenAiChatModel(options: RemoteModel): ChatModel {
  const { model, upstream } = options;
  const post = createPost(
    options,
    "/chat/completions",
    ["response_format", "temperature", "max_tokens", "stream_options", "stream"],
    omittedFor(model),
  );
  // The vendor's own models keep thoughts apart; another address may serve any model.
  const mayThinkAloud = options.baseUrl !== OPENAI_BASE_URL;
  const named = { provider: "openai", model, mayThinkAloud };
  return createRemoteChatModel(named, upstream, async function* (prompt, isStreamed) {
    const response = await post((omitted) => requestFor(model, prompt, omitted, isStreamed));
    // Some endpoints send a whole answer where pieces were asked for.
    if (isEventStream(response.headers.get("content-type") ?? "")) yield* piecesOf(response);
    else yield wholeOf((await response.json()) as Completion | null);
  });
}

function requestFor(
  model: string,
  { system, user, schema, maxOutputTokens }: ChatPrompt,
  omitted: ReadonlySet<OptionalParameter>,
  isStreamed: boolean,
): object {
  const isSchemaTold = schema !== null && omitted.has("response_format");
  return {
    model,
    messages: [
      { role: "system", content: isSchemaTold ? withSchema(system, schema) : system },
      { role: "user", content: user },
    ],
    ...(!omitted.has("temperature") && { temperature: 0 }),
    // Models that think before they answer want the newer name.
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
    ...(isStreamed &&
      !omitted.has("stream") && {
        stream: true,
        ...(!omitted.has("stream_options") && { stream_options: { include_usage: true } }),
      }),
  };
}

/** For an endpoint that cannot enforce a schema. */
function withSchema(system: string, schema: object): string {
  return `${system}\n\nAnswer with one JSON object that matches this JSON Schema, and nothing else:\n${JSON.stringify(schema)}`;
}

function wholeOf(completion: Completion | null): AnswerPiece {
  const choice = firstChoice(completion);
  const said = choice?.message;
  if (!said) throw unusable("an answer without text");
  return { ...pieceOf(completion, choice, said), ending: endingOf(choice) ?? "done" };
}

async function* piecesOf({ body }: Response): AsyncGenerator<AnswerPiece> {
  // Loaded at the first such answer: most services call no such model.
  const { EventSourceParserStream } = await import("eventsource-parser/stream");
  const events = body
    ?.pipeThrough(new TextDecoderStream())
    .pipeThrough(new EventSourceParserStream());
  for await (const { data } of events ?? []) {
    if (data.startsWith(DONE)) return;
    const chunk: Completion | null = JSON.parse(data);
    const choice = firstChoice(chunk);
    yield pieceOf(chunk, choice, choice?.delta);
  }
}

function pieceOf(
  completion: Completion | null,
  choice: Choice | undefined,
  said: Said | null | undefined,
): AnswerPiece {
  // Usage follows the last piece, or comes with each piece as a running total.
  const usage = completion?.usage;
  return {
    text: said?.content,
    ending: endingOf(choice),
    // The model refused, or the vendor's filter did.
    isRefused: Boolean(said?.refusal) || choice?.finish_reason === "content_filter",
    tokens: usage
      ? {
          inputTokens: tokenCount(usage.prompt_tokens),
          outputTokens: tokenCount(usage.completion_tokens),
        }
      : null,
  };
}

/** Of several choices the first is read. */
function firstChoice(completion: Completion | null): Choice | undefined {
  const choices = completion?.choices ?? [];
  if (!Array.isArray(choices)) throw unusable("an answer of another shape");
  return choices.find((each) => !each?.index) ?? undefined;
}

function endingOf(choice: Choice | undefined): AnswerPiece["ending"] {
  if (!choice?.finish_reason) return null;
  return choice.finish_reason === "length" ? "cut_off" : "done";
}
