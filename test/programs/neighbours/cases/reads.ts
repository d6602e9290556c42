import { setTimeout as sleep } from "node:timers/promises";
import { create, toBinary } from "@bufbuild/protobuf";
import { encodeEnvelope } from "@connectrpc/connect/protocol";
import { ListMemoriesRequestSchema } from "../../../../gen/agentmemory/v1/memory_service_pb.ts";
import { MAX_LIST_LIMIT, MAX_QUERY_LIMIT } from "../../../../src/domain/limits.ts";
import { type Attacker, repeat } from "../attacker.ts";
import type { Attack, NeighbourCase } from "../neighbour-case.ts";
import { longText, store } from "./texts.ts";

const LIST = `/agent/memories?limit=${MAX_LIST_LIMIT}`;
const LISTS_AT_ONCE = 40;
const LONG_MEMORIES = { short: 10, full: MAX_LIST_LIMIT };

const storeLong = (attacker: Attacker, sentence = "x") =>
  store(attacker, attacker.size(LONG_MEMORIES), (index) =>
    longText(sentence).slice(8).concat(String(index)),
  );

/** Holds what was opened until the signal. */
async function hold(signal: AbortSignal): Promise<void> {
  await sleep(2 ** 30, undefined, { signal }).catch(() => {});
}

function unreadHttp1(attacker: Attacker): Attack {
  return async (signal) => {
    for (let index = 0; index < LISTS_AT_ONCE; index++) {
      const socket = attacker.socket();
      socket.pause();
      socket.write(
        `GET ${LIST} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${attacker.key}\r\n\r\n`,
      );
    }
    await hold(signal);
  };
}

/** The same list over HTTP/2: as JSON, or by gRPC. */
const HTTP2_LISTS = {
  http2: () => ({ headers: { ":path": LIST }, body: undefined }),
  grpc: () => ({
    headers: {
      ":method": "POST",
      ":path": "/agentmemory.v1.MemoryService/ListMemories",
      "content-type": "application/grpc",
      te: "trailers",
    },
    body: Buffer.from(
      encodeEnvelope(
        0,
        toBinary(
          ListMemoriesRequestSchema,
          create(ListMemoriesRequestSchema, { limit: MAX_LIST_LIMIT }),
        ),
      ),
    ),
  }),
};

function listsByHttp2(attacker: Attacker, protocol: keyof typeof HTTP2_LISTS, reads: boolean) {
  const { headers, body } = HTTP2_LISTS[protocol]();
  const attack: Attack = async (signal) => {
    const session = attacker.session();
    const streams = Array.from({ length: LISTS_AT_ONCE }, () =>
      attacker.stream(session, headers, body),
    );
    if (!reads) return hold(signal);
    await Promise.all(
      streams
        .map((stream) => {
          const { promise, resolve } = Promise.withResolvers<void>();
          let answer = "cut off";
          stream.on("response", (received) => {
            answer = String(received[":status"]);
          });
          stream.on("trailers", (received) => {
            answer = `grpc ${received["grpc-status"]}`;
          });
          stream.once("close", () => {
            attacker.count(answer);
            resolve();
          });
          signal.addEventListener("abort", () => stream.close());
          return promise;
        })
        .map((promise, index) => {
          streams[index]?.resume();
          return promise;
        }),
    );
    session.close();
  };
  return attack;
}

function readHttp1(attacker: Attacker): Attack {
  return (signal) =>
    repeat(LISTS_AT_ONCE, LISTS_AT_ONCE, signal, () => attacker.sendForPages(LIST));
}

const lists: readonly NeighbourCase[] = [
  {
    name: "lists-unread-http1",
    what: "asks for 40 lists of 1,000 memories of 32 KiB over HTTP/1.1 and reads none",
    async arrange(attacker) {
      await storeLong(attacker);
      return unreadHttp1(attacker);
    },
  },
  {
    name: "lists-read-http1",
    what: "asks for 40 lists of 1,000 memories of 32 KiB over HTTP/1.1 and reads every page",
    async arrange(attacker) {
      await storeLong(attacker);
      return readHttp1(attacker);
    },
  },
  ...(["http2", "grpc"] as const).flatMap((protocol): NeighbourCase[] =>
    [false, true].map((reads) => ({
      name: `lists-${reads ? "read" : "unread"}-${protocol}`,
      what: `asks for 40 lists of 1,000 memories of 32 KiB over ${protocol === "grpc" ? "gRPC" : "HTTP/2"} and reads ${reads ? "them" : "none"}`,
      async arrange(attacker) {
        await storeLong(attacker);
        return listsByHttp2(attacker, protocol, reads);
      },
    })),
  ),
];

export const READS: readonly NeighbourCase[] = [
  ...lists,
  {
    name: "lists-of-control-characters",
    what: "asks for 8 lists of 1,000 memories of 32 KiB of control characters, each six bytes in JSON",
    async arrange(attacker) {
      await storeLong(attacker, "\u0001");
      return (signal) => repeat(8, 8, signal, () => attacker.send("GET", LIST));
    },
  },
  {
    name: "lists-at-once",
    what: "asks for lists of 1,000 short memories, 40 at once, again and again",
    async arrange(attacker) {
      await store(
        attacker,
        attacker.size({ short: 100, full: MAX_LIST_LIMIT }),
        (index) => `Fact ${index}`,
      );
      const count = attacker.size({ short: 80, full: 400 });
      return (signal) => repeat(count, LISTS_AT_ONCE, signal, () => attacker.send("GET", LIST));
    },
  },
  ...[
    { name: "long-questions", what: "over memories of 32 KiB", sentence: "I live in Berlin. " },
    {
      name: "long-questions-control-characters",
      what: "over memories of 32 KiB of control characters",
      sentence: "\u0001 ",
    },
  ].map(
    ({ name, what, sentence }): NeighbourCase => ({
      name,
      what: `asks questions with limit 100 ${what}, four at once`,
      async arrange(attacker) {
        const text = longText(sentence).slice(8);
        await store(attacker, attacker.size({ short: 10, full: MAX_QUERY_LIMIT }), (index) =>
          text.concat(String(index)),
        );
        const body = JSON.stringify({ question: "Where do I live?", limit: MAX_QUERY_LIMIT });
        const count = attacker.size({ short: 4, full: 40 });
        return (signal) =>
          repeat(count, 4, signal, () => attacker.send("POST", "/agent/query", { body }));
      },
    }),
  ),
  {
    name: "large-timeline",
    what: "asks for the timeline of 1,000 memories of 32 KiB that one replaced, eight at once",
    async arrange(attacker) {
      const [head = "", ...merged] = await storeLong(attacker);
      await repeat(merged.length, 4, null, (index) =>
        attacker.must("POST", `/memories/${merged[index]}/supersede`, { superseded_by: head }),
      );
      return (signal) =>
        repeat(8, 8, signal, () => attacker.send("GET", `/memories/${head}/timeline`));
    },
  },
];
