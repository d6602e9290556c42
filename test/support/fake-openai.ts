import type { IncomingHttpHeaders } from "node:http";
import {
  event,
  type FakeAnswer,
  type FakeModelServer,
  type FakeReply,
  type FakeRequest,
  FIRST_WORDS,
  json,
  LIMITED_SECONDS,
  piecesOf,
  startFakeModelServer,
  textOf,
  type VendorFault,
} from "./fake-upstream.ts";
import { fakeVectors } from "./fake-vectors.ts";

/** An endpoint that does not take every parameter: each named one is refused with this; given a `value`, only that. */
export type RefusedParameters = Readonly<
  Record<string, { status: number; message: string; value?: string }>
>;

/** An endpoint that speaks the OpenAI API, as far as chat completions and embeddings go. */
export function startFakeOpenAi(
  refused: RefusedParameters = {},
  { givesBase64 = true } = {},
): Promise<FakeModelServer> {
  return startFakeModelServer({
    respond: async (request, server) => {
      const asked = givesBase64 ? request.body : { ...request.body, encoding_format: "float" };
      return refusal(request, refused) ?? respond({ ...request, body: asked }, server);
    },
    fault,
    begun: BEGUN,
    wrongKey: error(401, "invalid_api_key", "Incorrect API key provided."),
    keyOf,
  });
}

function keyOf({ authorization }: IncomingHttpHeaders): string | undefined {
  return /^Bearer (.+)$/.exec(authorization ?? "")?.[1];
}

function refusal({ body }: FakeRequest, refused: RefusedParameters): FakeReply | null {
  for (const [name, { status, message, value = body[name] }] of Object.entries(refused)) {
    if (name in body && body[name] === value) return error(status, null, message);
  }
  return null;
}

async function respond(request: FakeRequest, server: FakeModelServer): Promise<FakeReply | null> {
  if (request.method !== "POST") return null;
  if (request.path === "/v1/embeddings") return json(200, await embeddings(request));
  if (request.path !== "/v1/chat/completions") return null;
  const { messages, response_format } = request.body;
  const answer = await server.chat({
    system: messages[0].content,
    user: messages[1].content,
    schema: response_format?.json_schema?.schema ?? null,
    maxTokens: request.body.max_tokens ?? request.body.max_completion_tokens,
  });
  if (typeof answer === "object" && "status" in answer) return json(answer.status, answer.body);
  const isCutOff = typeof answer === "object" && "isCutOff" in answer && answer.isCutOff;
  const finishReason = isCutOff ? "length" : "stop";
  if (request.body.stream) {
    return { kind: "events", events: eventsOf(answer, finishReason, request.body) };
  }
  return json(200, completion({ content: textOf(answer), finish_reason: finishReason }));
}

/** The role first, the reason of the end behind the text, and the usage if it was asked for. */
async function* eventsOf(
  answer: FakeAnswer,
  finishReason: string,
  body: FakeRequest["body"],
): AsyncGenerator<string> {
  if (typeof answer === "object" && "events" in answer) {
    yield* answer.events;
    return;
  }
  yield event(chunk({ role: "assistant", content: "", refusal: null }));
  for await (const content of piecesOf(answer)) yield event(chunk({ content }));
  yield event(chunk({}, finishReason));
  if (body.stream_options?.include_usage) {
    yield event({ ...chunk({}), choices: [], usage: USAGE });
  }
  yield DONE;
}

const DONE = "data: [DONE]\n\n";

/** One event of a streamed answer. */
export function chunk(delta: object, finishReason: string | null = null) {
  return {
    id: "chatcmpl-1",
    object: "chat.completion.chunk",
    created: 1_700_000_000,
    model: "fake",
    choices: [{ index: 0, delta, logprobs: null, finish_reason: finishReason }],
    usage: null,
  };
}

const BEGUN = event(chunk({ content: FIRST_WORDS }));

async function fault(fault: VendorFault, request: FakeRequest): Promise<FakeReply> {
  const isChat = request.path.endsWith("/chat/completions");
  const isStream = request.body.stream === true;
  const says = (said: Parameters<typeof completion>[0]): FakeReply => {
    if (!isStream) return json(200, completion(said));
    const { finish_reason = "stop", ...delta } = said;
    return { kind: "events", events: [event(chunk(delta)), event(chunk({}, finish_reason)), DONE] };
  };
  switch (fault) {
    case "nonsense": {
      const nonsense = { choices: "many", data: "few" };
      return isStream ? { kind: "events", events: [event(nonsense), DONE] } : json(200, nonsense);
    }
    case "broken_json":
      return isStream
        ? { kind: "events", events: ['data: {"id": "x", "choi\n\n', DONE] }
        : json(200, '{"id": "x", "choices": [{"mess');
    case "empty":
      return isChat ? says({ content: "" }) : json(200, { object: "list", data: [] });
    case "blocked":
      return isChat
        ? says({ content: "I", finish_reason: "content_filter" })
        : error(400, "content_policy_violation", "the content is not allowed");
    case "declined":
      return isChat
        ? says({ content: null, refusal: "I can't help with that." })
        : error(400, "content_policy_violation", "the content is not allowed");
    case "cut_short": {
      if (isChat) return says({ content: '{"facts', finish_reason: "length" });
      const whole = await embeddings(request);
      return json(200, { ...whole, data: whole.data.slice(1) });
    }
    case "bad_request":
      return error(400, "invalid_value", "Invalid value for 'messages'.");
    case "unauthorized":
      return error(401, "invalid_api_key", `Incorrect API key: ${keyOf(request.headers)}.`);
    case "limited":
      return error(429, "rate_limit_exceeded", "Rate limit reached", { "retry-after": "0" });
    case "limited_for_an_hour":
      return error(429, "insufficient_quota", "You exceeded your current quota", {
        "retry-after": String(LIMITED_SECONDS),
      });
    case "failing":
      return error(500, null, "The server had an error.");
    case "dropping":
      if (isStream) {
        return { kind: "events", events: [event(chunk({ role: "assistant" }))], ending: "break" };
      }
      return {
        kind: "drop",
        body: isChat ? completion({ content: "x" }) : await embeddings(request),
      };
    case "garbled_midway":
      return { kind: "events", events: [BEGUN, 'data: {"id": "x", "choi\n\n', DONE] };
    case "failing_midway":
      return { kind: "events", events: [BEGUN, event({ error: { message: "overloaded" } })] };
    case "filtered_midway":
      return { kind: "events", events: [BEGUN, event(chunk({}, "content_filter")), DONE] };
  }
}

async function embeddings({ body }: FakeRequest) {
  const vectors = await fakeVectors(body.input, "document", body.dimensions);
  const data = vectors.map((vector, index) => {
    const embedding = body.encoding_format === "base64" ? inBase64(vector) : vector;
    return { object: "embedding", index, embedding };
  });
  return {
    object: "list",
    // The order of the list says nothing; the index does.
    data: data.toReversed(),
    model: body.model,
    usage: { prompt_tokens: 8 * vectors.length, total_tokens: 8 * vectors.length },
  };
}

/** Single precision numbers, little-endian. */
function inBase64(vector: readonly number[]): string {
  const bytes = Buffer.alloc(4 * vector.length);
  for (const [index, value] of vector.entries()) bytes.writeFloatLE(value, 4 * index);
  return bytes.toString("base64");
}

const USAGE = { prompt_tokens: 110, completion_tokens: 25, total_tokens: 135 };

function completion({
  content,
  refusal = null,
  finish_reason = "stop",
}: {
  content: string | null;
  refusal?: string | null;
  finish_reason?: string;
}) {
  return {
    id: "chatcmpl-1",
    object: "chat.completion",
    created: 1_700_000_000,
    model: "fake",
    choices: [{ index: 0, message: { role: "assistant", content, refusal }, finish_reason }],
    usage: USAGE,
  };
}

function error(
  status: number,
  code: string | null,
  message: string,
  headers: Readonly<Record<string, string>> = {},
): FakeReply {
  return json(status, { error: { message, type: "error", param: null, code } }, headers);
}
