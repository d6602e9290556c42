/**
 * Models in the wire format of OpenAI. One that embeds: the same text has the same vector, which
 * means something, so that a question finds its memory; the vector is made once. And one that
 * answers all with the first memory that it was given.
 */
import { createServer } from "node:http";
import { createLocalEmbedder } from "@agent-memory/offline-models";
import type { Vector } from "../../../../src/domain/embedding.ts";
import { randomFrom } from "../../../storage/contract/random.ts";
import { CALL } from "../../../support/model-call.ts";
import { bodyOf, listen, serve } from "./serve.ts";

/** Of each number; all of them together turn a vector by less than three degrees. */
const NOISE = 2e-6;
const embedder = createLocalEmbedder();
const known = new Map<string, { readonly json: string; readonly base64: string }>();

interface EmbeddingsRequest {
  readonly model: string;
  readonly input: string | readonly string[];
  readonly encoding_format?: "float" | "base64";
}

async function vectorsOf(texts: readonly string[]): Promise<void> {
  const unknown = [...new Set(texts)].filter((text) => !known.has(text));
  if (unknown.length === 0) return;
  const vectors = await embedder.embed(unknown, "document", CALL);
  for (const [i, text] of unknown.entries()) {
    const vector = dense(vectors[i] ?? [], text);
    const base64 = Buffer.from(vector.buffer).toString("base64");
    known.set(text, { json: `[${vector.join(",")}]`, base64: `"${base64}"` });
  }
}

/** Without the zeros that a vendor's vectors have not, which would make the JSON short. */
function dense(vector: Vector, text: string): Float32Array {
  const random = randomFrom(text.length + (text.codePointAt(0) ?? 0));
  return Float32Array.from(vector, (value) => value + (random.below(2_001) - 1_000) * NOISE);
}

const ANSWER = JSON.stringify({
  id: "chatcmpl-1",
  object: "chat.completion",
  created: 1_700_000_000,
  model: "bench",
  choices: [
    {
      index: 0,
      message: { role: "assistant", content: "That is what was said [mem-1].", refusal: null },
      logprobs: null,
      finish_reason: "stop",
    },
  ],
  usage: { prompt_tokens: 1_000, completion_tokens: 10, total_tokens: 1_010 },
});

async function embeddingsOf({ input, model, encoding_format }: EmbeddingsRequest): Promise<string> {
  const texts = typeof input === "string" ? [input] : input;
  await vectorsOf(texts);
  const form = encoding_format === "base64" ? "base64" : "json";
  const data = texts.map(
    (text, index) =>
      `{"object":"embedding","index":${index},"embedding":${known.get(text)?.[form]}}`,
  );
  const tokens = 8 * texts.length;
  const usage = JSON.stringify({ prompt_tokens: tokens, total_tokens: tokens });
  return `{"object":"list","data":[${data.join(",")}],"model":${JSON.stringify(model)},"usage":${usage}}`;
}

await serve(async () =>
  listen(
    createServer(async (request, response) => {
      const asked = JSON.parse(await bodyOf(request));
      const isChat = request.url?.endsWith("/chat/completions") ?? false;
      response.setHeader("content-type", "application/json");
      response.end(isChat ? ANSWER : await embeddingsOf(asked));
    }),
  ),
);
