/** Every vendor's answers in pieces: as they come, and every way in which one can fail midway. */
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { Failure } from "../../src/domain/failure.ts";
import type { ChatModel, ChatPrompt } from "../../src/providers/chat-model.ts";
import { createOpenAiChatModel } from "../../src/providers/openai.ts";
import { chunk, type RefusedParameters, startFakeOpenAi } from "../support/fake-openai.ts";
import {
  event,
  type FakeModelServer,
  FIRST_WORDS,
  type MidwayFault,
} from "../support/fake-upstream.ts";
import { CALL } from "../support/model-call.ts";
import { controlledPieces } from "../support/pieces.ts";
import { upstreamOf, VENDORS } from "./upstream-of.ts";

const PROMPT: ChatPrompt = {
  system: "You answer.",
  user: "Where is Ana?",
  schema: null,
  maxOutputTokens: 100,
};
const SAID = "Ana lives in Oslo, near Ænes 🏔️ [mem-1].";

const open: FakeModelServer[] = [];
afterAll(async () => {
  for (const server of open) await server.close();
});

/** A stream of a model, and the pieces that it has handed on so far. */
function streaming(model: ChatModel, signal = CALL.signal) {
  const pieces: string[] = [];
  const completion = model.complete(PROMPT, { ...CALL, signal }, (text) => void pieces.push(text));
  // A test may look at the pieces before it awaits this.
  completion.catch(() => {});
  return { pieces, completion };
}

describe.each(["gemini", "openai"] as const)("%s", (name) => {
  const vendor = VENDORS[name];
  let server: FakeModelServer;
  beforeAll(async () => {
    server = await vendor.start();
    open.push(server);
  });
  afterEach(() => {
    server.reset();
    server.chat = () => "Yes.";
  });
  const model = (timeoutMs = 20_000) =>
    vendor.chat({
      apiKey: "key",
      baseUrl: `${server.origin}${vendor.path}`,
      model: vendor.model,
      upstream: upstreamOf({ provider: name, timeoutMs }),
    });

  test("each piece is there when the vendor sends it", async () => {
    const said = controlledPieces();
    server.chat = () => ({ pieces: said });
    const { pieces, completion } = streaming(model());
    const given = ["Ana", " lives in ", "Oslo."];
    for (const [index, piece] of given.entries()) {
      said.give(piece);
      await expect.poll(() => pieces).toEqual(given.slice(0, index + 1));
    }
    said.end();
    expect(await completion).toMatchObject({
      text: given.join(""),
      isCutOff: false,
      attempts: 1,
      outputTokens: vendor.outputTokens,
    });
    expect(server.requests).toHaveLength(1);
  });

  test("it is asked as for an answer that comes whole", async () => {
    await model().complete(PROMPT, CALL);
    await streaming(model()).completion;
    const [whole, streamed] = server.requests.map(({ body }) => body);
    const { stream, stream_options, ...others } = streamed;
    expect(others).toEqual(whole);
  });

  test("a character that is cut in two is handed on whole", async () => {
    server.chat = () => ({ pieces: ["Oslo \ud83c", "\udfd4", "\ufe0f", " and \ud83c"] });
    const { pieces, completion } = streaming(model());
    await completion;
    expect(pieces).toEqual(["Oslo ", "🏔", "\ufe0f", " and ", "\ufffd"]);
  });

  test.each<[string, MidwayFault, RegExp]>([
    ["breaks the connection", "breaking_midway", /could not be reached/],
    ["ends as if all were there", "ending_midway", /gave no usable answer/],
    ["says nothing more", "stalling_midway", /did not answer in time/],
    ["sends what is no JSON", "garbled_midway", /gave no usable answer/],
    ["sends an error", "failing_midway", /gave no usable answer/],
  ])("where it %s behind its first words, nothing is tried again", async (_, fault, says) => {
    server.next(fault);
    const isStalling = fault === "stalling_midway";
    const { pieces, completion } = streaming(model(isStalling ? 1_000 : undefined));
    const failure = await completion.catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(Failure);
    expect(failure).toMatchObject({ reason: "model_unavailable" });
    expect(String(failure)).toMatch(says);
    // On a slow machine they may come after it was given up.
    if (!isStalling) expect(pieces.join("")).toBe(FIRST_WORDS);
    expect(server.requests).toHaveLength(1);
  });

  test("a refusal in the middle is told as one", async () => {
    server.next("filtered_midway");
    await expect(streaming(model()).completion).resolves.toMatchObject({ isRefused: true });
    expect(server.requests).toHaveLength(1);
  });

  test("who leaves ends the request, in the middle of an answer too", async () => {
    const said = controlledPieces();
    server.chat = () => ({ pieces: said });
    const left = new AbortController();
    const { pieces, completion } = streaming(model(), left.signal);
    said.give("Ana");
    await expect.poll(() => pieces).toEqual(["Ana"]);
    left.abort(new Error("left"));
    await expect(completion).rejects.toThrow("left");
    await server.requests[0]?.abandoned;
    said.end();
  });

  test("what is thrown for a piece ends the request", async () => {
    const said = controlledPieces();
    server.chat = () => ({ pieces: said });
    const refused = new Failure("model_unavailable", "no answer");
    const completion = model().complete(PROMPT, CALL, () => {
      throw refused;
    });
    said.give("Ana");
    await expect(completion).rejects.toBe(refused);
    await server.requests[0]?.abandoned;
    said.end();
    expect(server.requests).toHaveLength(1);
  });
});

describe("endpoints that speak the OpenAI API", () => {
  async function start(refused: RefusedParameters = {}): Promise<FakeModelServer> {
    const server = await startFakeOpenAi(refused);
    open.push(server);
    server.chat = () => SAID;
    return server;
  }
  const modelAt = ({ origin }: FakeModelServer) =>
    createOpenAiChatModel({
      apiKey: null,
      baseUrl: `${origin}/v1`,
      model: "some-model",
      upstream: upstreamOf({ provider: "openai" }),
    });

  test("usage is asked for, unless that is refused by name", async () => {
    const server = await start({
      stream_options: { status: 400, message: "Unknown parameter: 'stream_options'" },
    });
    const model = modelAt(server);
    const first = await streaming(model).completion;
    expect(first).toMatchObject({ text: SAID, outputTokens: null, attempts: 2 });
    const { pieces, completion } = streaming(model);
    expect(await completion).toMatchObject({ attempts: 1 });
    expect(pieces.length).toBeGreaterThan(1);
    const asked = server.requests.map(({ body }) => body.stream_options);
    expect(asked).toEqual([{ include_usage: true }, undefined, undefined]);
  });

  test("one that streams nothing answers whole", async () => {
    const server = await start({ stream: { status: 400, message: "`stream` is not supported" } });
    const { pieces, completion } = streaming(modelAt(server));
    expect(await completion).toMatchObject({ text: SAID, outputTokens: 25, attempts: 2 });
    expect(pieces).toEqual([SAID]);
  });

  test("a text in parts is joined, without the zeros that no database keeps", async () => {
    const server = await start();
    const content = [{ type: "text", text: "Ana\0" }, { type: "thinking" }, { text: " left." }];
    server.chat = () => ({ events: [event(chunk({ content }, "stop"))] });
    const { pieces, completion } = streaming(modelAt(server));
    expect(await completion).toMatchObject({ text: "Ana left." });
    expect(pieces).toEqual(["Ana left."]);
  });

  test.each([
    ["a refusal", chunk({ refusal: "I can't help with that." })],
    ["a piece that is no text", chunk({ content: 5 })],
    ["a part that is no text", chunk({ content: [{ text: [{ text: "x" }] }] })],
  ])("%s behind the first words is no answer", async (_, last) => {
    const server = await start();
    server.chat = () => ({ events: [event(chunk({ content: "Ana" })), event(last)] });
    await expect(streaming(modelAt(server)).completion).rejects.toThrow("gave no usable answer");
    expect(server.requests).toHaveLength(1);
  });
});
