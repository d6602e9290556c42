/** RPCs whose requests are a stream: a body of lines of JSON. */
import { once } from "node:events";
import http from "node:http";
import http2 from "node:http2";
import type { Duplex } from "node:stream";
import { create, type DescService } from "@bufbuild/protobuf";
import { Code, ConnectError, type HandlerContext } from "@connectrpc/connect";
import { afterEach, describe, expect, onTestFinished, test } from "vitest";
import type { RestHandlerOptions } from "../src/rest-handler.ts";
import { HTTP_VERSIONS, type TestRequest, type TestServer } from "./http-fixture.ts";
import { registry, serviceHandler } from "./library-fixture.ts";
import { messageOf } from "./protos-fixture.ts";

const uploadService = registry.getService("rest.test.v1.UploadService") as DescService;
const sumResponse = messageOf(registry, "SumResponse");
const LINES = { "content-type": "application/x-ndjson" };
const MAX_LINE_BYTES = 1_000;

// biome-ignore lint/suspicious/noExplicitAny: messages of types that are only known at run time
type AnyRequests = AsyncIterable<any>;
type Sum = (requests: AnyRequests, call: HandlerContext) => Promise<unknown>;

async function sumOf(requests: AnyRequests, taken: (addend: number) => void = () => {}) {
  let sum = 0;
  const said: string[] = [];
  for await (const { line } of requests) {
    if (line.case === "words") said.push(...line.value.said);
    else if (line.case === "number") {
      sum += line.value.addend;
      taken(line.value.addend);
    }
  }
  return create(sumResponse, { sum, said } as never);
}

function handlerOf(
  sum: Sum = (requests) => sumOf(requests),
  more: Partial<RestHandlerOptions> = {},
) {
  const limits = { maxBodyBytes: MAX_LINE_BYTES, maxBodyValues: 20 };
  return serviceHandler(uploadService, { sum }, { ...limits, ...more });
}

const upload = (body: string | Buffer, more: Partial<TestRequest> = {}): TestRequest => {
  return { method: "POST", path: "/v1/sums", headers: LINES, body, ...more };
};

/** A body that a test writes, and the response to it. */
interface Writing {
  write(text: string): void;
  end(): void;
  leave(): void;
  readonly answer: Promise<string>;
}

async function textOf(stream: AsyncIterable<Buffer>): Promise<string> {
  let text = "";
  for await (const chunk of stream) text += chunk.toString();
  return text;
}

function writing(version: string, port: number): Writing {
  if (version === "HTTP/1.1") {
    const request = http.request({ port, method: "POST", path: "/v1/sums", headers: LINES });
    request.flushHeaders();
    request.on("error", () => {});
    const answer = once(request, "response").then(([response]) => textOf(response));
    answer.catch(() => {});
    return {
      write: (text) => request.write(text),
      end: () => request.end(),
      leave: () => request.destroy(),
      answer,
    };
  }
  const session = http2.connect(`http://localhost:${port}`);
  onTestFinished(() => session.destroy());
  const stream = session.request({ ":method": "POST", ":path": "/v1/sums", ...LINES });
  stream.on("error", () => {});
  const answer = once(stream, "response").then(() => textOf(stream as Duplex));
  answer.catch(() => {});
  return {
    write: (text) => stream.write(text),
    end: () => stream.end(),
    // To close the stream would end the body first.
    leave: () => session.destroy(),
    answer,
  };
}

describe.each(HTTP_VERSIONS)("over $version", ({ version, serve }) => {
  let server: TestServer | undefined;
  afterEach(async () => {
    await server?.close();
    server = undefined;
  });

  async function send(request: TestRequest, handler = handlerOf()) {
    server ??= await serve(handler);
    const { status, text } = await server.send(request);
    return { status, json: JSON.parse(text) };
  }

  test.each<[string, string, number]>([
    ["lines", '{"addend":1}\n{"words-said":["a","b"]}\n{"addend":2,"comment":"é"}\n', 3],
    ["a last line without its end", '{"addend":1}\n{"addend":4}', 5],
    ["line ends of Windows", '{"addend":1}\r\n{"addend":5}\r\n', 6],
    ["nothing", "", 0],
    ["more than a line may be, in all", '{"addend":1}\n'.repeat(200), 200],
  ])("each line is a request: %s", async (_, body, sum) => {
    const said = body.includes("said") ? ["a", "b"] : [];
    expect(await send(upload(body))).toEqual({ status: 200, json: { sum, said } });
  });

  test("a line is a request when it is there, not when all are", async () => {
    const taken: number[] = [];
    const waiting = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const sum: Sum = (requests) =>
      sumOf(requests, (addend) => {
        taken.push(addend);
        waiting[taken.length - 1]?.resolve();
      });
    server = await serve(handlerOf(sum));
    const { write, end, answer } = writing(version, server.port);
    write('{"addend":1}\n{"add');
    await waiting[0]?.promise;
    expect(taken).toEqual([1]);
    write('end":2}\n');
    await waiting[1]?.promise;
    end();
    expect(JSON.parse(await answer)).toMatchObject({ sum: 3 });
  });

  const good = '{"addend":1}\n';
  const TOO_LONG = "line 2: it must not be longer than 1000 bytes";
  const TOO_MANY = "line 2: `body` must hold at most 20 values";

  test.each<[string, string | Buffer, number, string]>([
    ["no JSON", `${good}{"addend"`, 400, "line 2: it must be a JSON object in UTF-8"],
    ["a list", `${good}${good}[1]\n`, 400, "line 3: it must be a JSON object in UTF-8"],
    ["an empty line", `${good}\n${good}`, 400, "line 2: it must be a JSON object in UTF-8"],
    ["two on a line", '{"addend":1}{"addend":1}\n', 400, "line 1: it must be"],
    ["a wrong type", `${good}{"addend":"1"}\n`, 422, "line 2: `addend` must be a whole number"],
    ["an unknown field", `${good}{"other":1}\n`, 422, "line 2: `other` is not a known field"],
    [
      "an unknown field behind a known one",
      `${good}{"words-said":[],"addend":1}\n`,
      422,
      "line 2: `addend` is not a known field",
    ],
    ["too long a line", `${good}{"comment":"${"x".repeat(MAX_LINE_BYTES)}"}\n`, 413, TOO_LONG],
    ["a line without an end", `${good}${"x".repeat(200_000)}`, 413, TOO_LONG],
    ["too many values", `${good}{"words-said":[${Array(30).fill('""')}]}\n`, 422, TOO_MANY],
  ])("what is wrong is said with its line: %s", async (_, body, status, detail) => {
    const taken: number[] = [];
    const handler = handlerOf((requests) => sumOf(requests, (addend) => taken.push(addend)));
    const answer = await send(upload(body), handler);
    expect(answer).toEqual({ status, json: { detail: expect.stringContaining(detail) } });
    expect(taken).toHaveLength(Number(/line (\d)/.exec(detail)?.[1]) - 1);
  });

  test.each([
    ["application/json"],
    ["text/plain"],
    ["application/x-ndjson; charset=latin1"],
    [undefined],
  ])("a body of the type %s is refused", async (type) => {
    const headers: Record<string, string> = type === undefined ? {} : { "content-type": type };
    const detail = "the body must be application/x-ndjson in UTF-8 and must not be compressed";
    expect(await send(upload(good, { headers }))).toEqual({ status: 415, json: { detail } });
    const unpacked = { ...LINES, "content-encoding": "gzip" };
    expect((await send(upload(good, { headers: unpacked }))).status).toBe(415);
  });

  test("an answer or a refusal before the end of the body reaches a client that still sends", async () => {
    const first: Sum = async (requests) => {
      for await (const { line } of requests) {
        return create(sumResponse, { sum: line.value.addend } as never);
      }
      return null;
    };
    const body = good.repeat(50_000);
    expect(await send(upload(body), handlerOf(first))).toMatchObject({ json: { sum: 1 } });
    await server?.close();
    server = undefined;
    const details = [{ desc: sumResponse, value: { sum: 7 } as never }];
    const refuses: Sum = async (requests) => {
      for await (const _ of requests) break;
      throw new ConnectError("no more of this", Code.ResourceExhausted, undefined, details);
    };
    expect(await send(upload(body), handlerOf(refuses))).toEqual({
      status: 429,
      json: { detail: "no more of this", reason: "write_quota_exceeded", sum: 7, said: [] },
    });
  });

  test("a client that leaves ends the stream, and the call", async () => {
    const ended = Promise.withResolvers<unknown>();
    const begun = Promise.withResolvers<AbortSignal>();
    const sum: Sum = async (requests, { signal }) => {
      try {
        return await sumOf(requests, () => begun.resolve(signal));
      } catch (error) {
        ended.resolve(error);
        throw error;
      }
    };
    server = await serve(handlerOf(sum));
    const { write, leave } = writing(version, server.port);
    write(good);
    const signal = await begun.promise;
    expect(signal.aborted).toBe(false);
    leave();
    expect(await ended.promise).toMatchObject({ code: Code.Canceled });
    expect(signal.aborted).toBe(true);
  });
});
