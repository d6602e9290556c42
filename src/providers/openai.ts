import {
  type AnswerPiece,
  type ChatModel,
  type ChatPrompt,
  createRemoteChatModel,
  THOUGHT_TOKENS,
} from "./chat-model.ts";
import { createRemoteEmbedder } from "./embedder.ts";
import { tokenCount } from "./model-call.ts";
import { isEventStream, upstreamFetch } from "./upstream/exchange.ts";
import type { RemoteModel } from "./upstream/upstream.ts";
import { UpstreamError, unusable } from "./upstream/upstream-error.ts";

export const OPENAI_BASE_URL = "https://api.openai.com/v1";

/** Refusals of a limit, whatever the parameter is called. */
const TOO_MANY_TOKENS =
  /max_(?:completion_)?tokens\b.*(?:too large|at most|maximum|exceed|less than)/is;

/** What endpoints say where a filter refuses a prompt: Azure, OpenAI, DeepSeek, Alibaba. */
const FILTERED =
  /content_(?:filter|policy)|content management policy|content exists risk|data_?inspection/i;

/** A request that an endpoint refuses as malformed, or for what a user said. */
class Refusal extends UpstreamError {
  /** The parameter that it does not know if it names one, else what it says. */
  readonly about: string;
  readonly isOfFilter: boolean;

  constructor(status: number, body: string) {
    super({ kind: "refused", status });
    const { error } = (jsonOf(body) ?? {}) as {
      error?: Partial<Record<"param" | "message" | "code", string | null>>;
    };
    const said = error?.message || body;
    this.about = TOO_MANY_TOKENS.test(said) ? "" : error?.param || said;
    this.isOfFilter = FILTERED.test(`${error?.code} ${said}`);
  }
}

/** Throws for an error of the endpoint. */
async function post({ baseUrl, apiKey }: RemoteModel, path: string, body: object) {
  const response = await upstreamFetch(`${baseUrl}${path}`, {
    method: "POST",
    headers: {
      accept: "application/json",
      "content-type": "application/json",
      "user-agent": "agent-memory",
      ...(apiKey !== null && { authorization: `Bearer ${apiKey}` }),
    },
    body: JSON.stringify(body),
  });
  const { status } = response;
  if (status === 400 || status === 422) throw new Refusal(status, await response.text());
  if (status >= 400) throw new Error(`HTTP status ${status}`);
  return response;
}

/** undefined: the text is no JSON. */
function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Parameters that some endpoints or models refuse, and the words of such a refusal. */
const REFUSALS = {
  response_format: /response_format|json_schema/i,
  temperature: /temperature/i,
  max_tokens: /max_tokens|max_completion_tokens/i,
  dimensions: /dimensions|matryoshka/i,
  encoding_format: /encoding_format|base64/i,
  stream_options: /stream_options|include_usage/i,
  stream: /\bstream(?:ing)?\b/i,
} as const;

type OptionalParameter = keyof typeof REFUSALS;

/**
 * Posts requests to `path`, and learns which parameters the endpoint refuses. After a refusal of
 * one of `parameters` it sends the request again without that one. The next request begins with
 * the successful choice. `omitted` are those that are known to be refused.
 */
function createPost(
  model: RemoteModel,
  path: string,
  parameters: readonly OptionalParameter[],
  omitted: readonly OptionalParameter[] = [],
) {
  let known: ReadonlySet<OptionalParameter> = new Set(omitted);
  return async (bodyWithout: (omitted: typeof known) => object): Promise<Response> => {
    // Each iteration omits one more.
    for (let omitted = known; ; ) {
      try {
        const answer = await post(model, path, bodyWithout(omitted));
        known = omitted;
        return answer;
      } catch (error) {
        if (!(error instanceof Refusal)) throw error;
        const isAbout = (name: OptionalParameter) => REFUSALS[name].test(error.about);
        const refused = parameters.find((name) => !omitted.has(name) && isAbout(name));
        if (refused === undefined) throw error;
        omitted = new Set([...omitted, refused]);
      }
    }
  };
}

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
  readonly message?: { readonly content?: unknown; readonly refusal?: unknown } | null;
  /** In the place of `message`, in a piece. */
  readonly delta?: Choice["message"];
  readonly finish_reason?: string | null;
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
  const { model } = options;
  const post = createPost(
    options,
    "/chat/completions",
    ["response_format", "temperature", "max_tokens", "stream_options", "stream"],
    omittedFor(model),
  );
  // The vendor's own models keep thoughts apart; another address may serve any model.
  const mayThinkAloud = options.baseUrl !== OPENAI_BASE_URL;
  const named = { provider: "openai", model, mayThinkAloud };
  return createRemoteChatModel(named, options, async function* (prompt, isStreamed) {
    const response = await post((omitted) => requestFor(model, prompt, omitted, isStreamed)).catch(
      (error: unknown) => {
        if (error instanceof Refusal && error.isOfFilter) return null;
        throw error;
      },
    );
    if (response === null) yield { text: null, ending: "done", isRefused: true, tokens: null };
    // Some endpoints send a whole answer where pieces were asked for.
    else if (isEventStream(response.headers.get("content-type") ?? "")) yield* piecesOf(response);
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
  // Some endpoints send an error with the status of an answer.
  if (!completion?.choices) throw new UpstreamError({ kind: "garbled" });
  const piece = pieceOf(completion, "message");
  return { ...piece, ending: piece.ending ?? "done" };
}

async function* piecesOf({ body }: Response): AsyncGenerator<AnswerPiece> {
  // Loaded at the first such answer: most services call no such model.
  const { EventSourceParserStream } = await import("eventsource-parser/stream");
  const events = body
    ?.pipeThrough(new TextDecoderStream())
    .pipeThrough(new EventSourceParserStream());
  for await (const { data } of events ?? []) {
    if (data.startsWith(DONE)) return;
    yield pieceOf(JSON.parse(data), "delta");
  }
}

/** The limit of tokens, or what OpenRouter, DeepSeek and vLLM say of an end by an accident. */
const BREAKS_OFF = /length|max_tokens|error|insufficient_system_resource|abort/i;

function pieceOf(completion: Completion | null, place: "message" | "delta"): AnswerPiece {
  const { [place]: said, finish_reason: reason } = firstChoice(completion) ?? {};
  // Usage follows the last piece, or comes with each piece as a running total.
  const usage = completion?.usage;
  return {
    text: said?.content,
    ending: reason ? (BREAKS_OFF.test(reason) ? "cut_off" : "done") : null,
    // The model refused, or the vendor's filter did.
    isRefused: Boolean(said?.refusal) || reason === "content_filter",
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

/** An answer as the API describes it. Untrusted. */
interface EmbeddingsAnswer {
  readonly data?: unknown;
  readonly usage?: { readonly prompt_tokens?: unknown } | null;
}

/**
 * An embedding model of an endpoint that speaks the OpenAI API. The request asks for vectors of
 * `dimensions` numbers. An endpoint that refuses that parameter must return such vectors by itself.
 */
export function createOpenAiEmbedder(options: RemoteModel & { readonly dimensions: number }) {
  const { model, dimensions, upstream } = options;
  const post = createPost(options, "/embeddings", ["dimensions", "encoding_format"]);
  return createRemoteEmbedder(
    { provider: "openai", model, dimensions },
    upstream,
    async (texts) => {
      const response = await post((omitted) => ({
        model,
        input: texts,
        // A third of the bytes, and no digits to format and parse. An endpoint may refuse it,
        // or return numbers nevertheless.
        encoding_format: omitted.has("encoding_format") ? "float" : "base64",
        ...(!omitted.has("dimensions") && { dimensions }),
      }));
      return readVectors(await response.json());
    },
  );
}

function readVectors(response: unknown) {
  if (typeof response !== "object") throw new UpstreamError({ kind: "garbled" });
  const { data: listed, usage }: EmbeddingsAnswer = response ?? {};
  const data: unknown[] = Array.isArray(listed) ? listed : [];
  const vectors: unknown[] = [];
  for (const [position, item] of data.entries()) {
    const { index, embedding } = (item ?? {}) as { index?: unknown; embedding?: unknown };
    // The vectors follow the order of the texts, whatever the order of the list.
    const isIndex = Number.isInteger(index) && 0 <= Number(index) && Number(index) < data.length;
    vectors[isIndex ? Number(index) : position] = numbersOf(embedding);
  }
  return { vectors: [...vectors], inputTokens: tokenCount(usage?.prompt_tokens) };
}

const BYTES_A_NUMBER = Float32Array.BYTES_PER_ELEMENT;

/** Decodes little-endian single precision numbers in base64; returns any other value as it is. */
function numbersOf(embedding: unknown): unknown {
  if (typeof embedding !== "string") return embedding;
  const bytes = Buffer.from(embedding, "base64");
  const numbers = new Float32Array(Math.floor(bytes.length / BYTES_A_NUMBER));
  for (let i = 0; i < numbers.length; i++) numbers[i] = bytes.readFloatLE(i * BYTES_A_NUMBER);
  return numbers;
}
