import type { IncomingHttpHeaders } from "node:http";
import {
  textOf as answerText,
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
  type VendorFault,
} from "./fake-upstream.ts";
import { fakeVectors } from "./fake-vectors.ts";

/**
 * The Gemini API, as far as `generateContent`, `streamGenerateContent` and
 * `batchEmbedContents` go.
 */
export function startFakeGemini(): Promise<FakeModelServer> {
  return startFakeModelServer({
    respond,
    fault,
    begun: BEGUN,
    wrongKey: error(400, "INVALID_ARGUMENT", "API key not valid. Please pass a valid API key."),
    keyOf,
  });
}

function keyOf(headers: IncomingHttpHeaders): string | undefined {
  return headers["x-goog-api-key"]?.toString();
}

const PATH =
  /^\/v1beta\/models\/[^/:]+:(generateContent|streamGenerateContent\?alt=sse|batchEmbedContents)$/;

async function respond(request: FakeRequest, server: FakeModelServer): Promise<FakeReply | null> {
  const operation = PATH.exec(request.path)?.[1];
  if (request.method !== "POST" || operation === undefined) return null;
  if (operation === "batchEmbedContents") return json(200, await embeddings(request));
  const { systemInstruction, contents, generationConfig } = request.body;
  const answer = await server.chat({
    system: textOf(systemInstruction),
    user: textOf(contents[0]),
    schema: generationConfig.responseJsonSchema ?? null,
    maxTokens: generationConfig.maxOutputTokens,
  });
  if (typeof answer === "object" && "status" in answer) return json(answer.status, answer.body);
  const isCutOff = typeof answer === "object" && "isCutOff" in answer && answer.isCutOff;
  const finishReason = isCutOff ? "MAX_TOKENS" : "STOP";
  if (isStream(request)) return { kind: "events", events: eventsOf(answer, finishReason) };
  return json(200, completion({ text: answerText(answer), finishReason }));
}

function isStream({ path }: FakeRequest): boolean {
  return path.includes(":streamGenerateContent");
}

/** As the real one ends its lines; a thought first. */
async function* eventsOf(answer: FakeAnswer, finishReason: string): AsyncGenerator<string> {
  if (typeof answer === "object" && "events" in answer) {
    yield* answer.events;
    return;
  }
  yield event(piece([{ text: "Let me think.", thought: true }]), "\r\n");
  for await (const text of piecesOf(answer)) yield event(piece([{ text }]), "\r\n");
  yield event({ ...piece([{ text: "" }], finishReason), usageMetadata: USAGE }, "\r\n");
}

const USAGE = {
  promptTokenCount: 120,
  candidatesTokenCount: 30,
  thoughtsTokenCount: 5,
  totalTokenCount: 155,
};

function piece(parts: readonly object[], finishReason?: string) {
  return {
    candidates: [{ content: { role: "model", parts }, finishReason, index: 0 }],
    usageMetadata: { ...USAGE, candidatesTokenCount: 1 },
    modelVersion: "gemini-fake",
  };
}

const BEGUN = event(piece([{ text: FIRST_WORDS }]), "\r\n");

async function fault(fault: VendorFault, request: FakeRequest): Promise<FakeReply> {
  const isChat = !request.path.endsWith(":batchEmbedContents");
  const ok = (body: object): FakeReply =>
    isStream(request) ? { kind: "events", events: [event(body, "\r\n")] } : json(200, body);
  switch (fault) {
    case "nonsense":
      return ok({ candidates: "many", embeddings: "few" });
    case "broken_json":
      return isStream(request)
        ? { kind: "events", events: ['data: {"candidates": [{"con\r\n\r\n'] }
        : json(200, '{"candidates": [{"content": {"parts": [{"te');
    case "empty":
      return ok(isChat ? completion({ text: "" }) : { embeddings: [] });
    case "blocked":
      return isChat
        ? ok({ promptFeedback: { blockReason: "SAFETY", safetyRatings: [] } })
        : error(400, "INVALID_ARGUMENT", "the content is not allowed");
    case "declined":
      return isChat
        ? ok(completion({ text: "I", finishReason: "PROHIBITED_CONTENT" }))
        : error(400, "INVALID_ARGUMENT", "the content is not allowed");
    case "cut_short":
      return isChat
        ? ok(completion({ text: '{"facts": [{"qu', finishReason: "MAX_TOKENS" }))
        : json(200, { embeddings: (await embeddings(request)).embeddings.slice(1) });
    case "bad_request":
      return error(400, "INVALID_ARGUMENT", "Invalid value at 'contents'");
    case "unauthorized":
      return error(401, "UNAUTHENTICATED", `The key ${keyOf(request.headers)} is not valid.`);
    case "limited":
      return error(429, "RESOURCE_EXHAUSTED", "Quota exceeded", { "retry-after": "0" });
    case "limited_for_an_hour":
      // As the real one says it: in the body.
      return error(429, "RESOURCE_EXHAUSTED", "Quota exceeded", {}, [
        {
          "@type": "type.googleapis.com/google.rpc.RetryInfo",
          retryDelay: `${LIMITED_SECONDS}s`,
        },
      ]);
    case "failing":
      return error(500, "INTERNAL", "An internal error has occurred.");
    case "dropping":
      if (isStream(request)) {
        return { kind: "events", events: [event(piece([]), "\r\n")], ending: "break" };
      }
      return { kind: "drop", body: isChat ? completion({ text: "x" }) : await embeddings(request) };
    case "garbled_midway":
      return { kind: "events", events: [BEGUN, 'data: {"candidates": [{"con\r\n\r\n'] };
    case "failing_midway":
      // The real one breaks off with an error that is no event.
      return {
        kind: "events",
        events: [BEGUN, '{"error": {"code": 503, "status": "UNAVAILABLE"}}\r\n'],
      };
    case "filtered_midway":
      return { kind: "events", events: [BEGUN, event(piece([], "SAFETY"), "\r\n")] };
  }
}

async function embeddings({ body }: FakeRequest) {
  const requests: {
    content: { parts: { text: string }[] };
    taskType: string;
    outputDimensionality: number;
  }[] = body.requests;
  const vectors = await Promise.all(
    requests.map(async ({ content, taskType, outputDimensionality }) => {
      const purpose = taskType === "RETRIEVAL_QUERY" ? "query" : "document";
      const [values] = await fakeVectors([textOf(content)], purpose, outputDimensionality);
      return { values };
    }),
  );
  return { embeddings: vectors };
}

function completion({ text, finishReason = "STOP" }: { text: string; finishReason?: string }) {
  return {
    candidates: [
      {
        content: { role: "model", parts: [{ text: "Let me think.", thought: true }, { text }] },
        finishReason,
        index: 0,
      },
    ],
    usageMetadata: USAGE,
    modelVersion: "gemini-fake",
  };
}

function textOf(content: { parts: { text: string }[] } | undefined): string {
  return (content?.parts ?? []).map(({ text }) => text).join("");
}

function error(
  code: number,
  status: string,
  message: string,
  headers: Readonly<Record<string, string>> = {},
  details?: readonly object[],
): FakeReply {
  return json(code, { error: { code, message, status, details } }, headers);
}
