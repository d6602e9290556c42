import type { IncomingHttpHeaders } from "node:http";
import {
  type FakeModelServer,
  type FakeReply,
  type FakeRequest,
  type Fault,
  json,
  LIMITED_SECONDS,
  startFakeModelServer,
} from "./fake-upstream.ts";
import { fakeVectors } from "./fake-vectors.ts";

/** The Gemini API, as far as `generateContent` and `batchEmbedContents` go. */
export function startFakeGemini(): Promise<FakeModelServer> {
  return startFakeModelServer({
    respond,
    fault,
    wrongKey: error(400, "INVALID_ARGUMENT", "API key not valid. Please pass a valid API key."),
    keyOf,
  });
}

function keyOf(headers: IncomingHttpHeaders): string | undefined {
  return headers["x-goog-api-key"]?.toString();
}

const PATH = /^\/v1beta\/models\/([^/:]+):(generateContent|batchEmbedContents)$/;

async function respond(request: FakeRequest, server: FakeModelServer): Promise<FakeReply | null> {
  const operation = PATH.exec(request.path)?.[2];
  if (request.method !== "POST" || operation === undefined) return null;
  if (operation === "batchEmbedContents") return json(200, await embeddings(request));
  const { systemInstruction, contents, generationConfig } = request.body;
  const answer = await server.chat({
    system: textOf(systemInstruction),
    user: textOf(contents[0]),
    schema: generationConfig.responseSchema ?? null,
    maxTokens: generationConfig.maxOutputTokens,
  });
  if (typeof answer === "string") return json(200, completion({ text: answer }));
  const finishReason = answer.isCutOff ? "MAX_TOKENS" : "STOP";
  return json(200, completion({ text: answer.text, finishReason }));
}

async function fault(
  fault: Fault,
  request: FakeRequest,
  server: FakeModelServer,
): Promise<FakeReply> {
  const isChat = request.path.endsWith(":generateContent");
  switch (fault) {
    case "nonsense":
      return json(200, { candidates: "many", embeddings: "few" });
    case "broken_json":
      return json(200, '{"candidates": [{"content": {"parts": [{"te');
    case "empty":
      return json(200, isChat ? completion({ text: "" }) : { embeddings: [] });
    case "blocked":
      return isChat
        ? json(200, { promptFeedback: { blockReason: "SAFETY", safetyRatings: [] } })
        : error(400, "INVALID_ARGUMENT", "the content is not allowed");
    case "declined":
      return isChat
        ? json(200, completion({ text: "I", finishReason: "PROHIBITED_CONTENT" }))
        : error(400, "INVALID_ARGUMENT", "the content is not allowed");
    case "cut_short":
      return isChat
        ? json(200, completion({ text: '{"facts": [{"qu', finishReason: "MAX_TOKENS" }))
        : json(200, { embeddings: (await embeddings(request)).embeddings.slice(1) });
    case "bad_request":
      return error(400, "INVALID_ARGUMENT", "Invalid value at 'contents'");
    case "unauthorized":
      return error(401, "UNAUTHENTICATED", `The key ${keyOf(request.headers)} is not valid.`);
    case "forbidden":
      return error(403, "PERMISSION_DENIED", "The caller does not have permission");
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
    case "redirecting":
      return { kind: "response", status: 307, headers: { location: server.origin }, body: "" };
    case "stalling":
      return { kind: "stall" };
    case "stalling_in_body":
      return { kind: "stall_in_body" };
    case "dropping":
      return { kind: "drop", body: isChat ? completion({ text: "x" }) : await embeddings(request) };
    case "hanging_up":
      return { kind: "hang_up" };
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
    usageMetadata: {
      promptTokenCount: 120,
      candidatesTokenCount: 30,
      thoughtsTokenCount: 5,
      totalTokenCount: 155,
    },
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
