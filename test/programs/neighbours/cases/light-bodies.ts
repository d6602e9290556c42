import type { ClientHttp2Session } from "node:http2";
import type { Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { create, toBinary } from "@bufbuild/protobuf";
import { encodeEnvelope } from "@connectrpc/connect/protocol";
import { CreateMemoriesRequestSchema } from "../../../../gen/agentmemory/v1/memory_service_pb.ts";
import { MAX_REQUESTS_IN_FLIGHT } from "../../../../src/domain/limits.ts";
import type { Attacker } from "../attacker.ts";
import type { NeighbourCase } from "../neighbour-case.ts";

/** As long as a body may be that costs no more of the rate than any request. */
const LIGHT_BYTES = 64 * 1024;
const STREAMS_A_SESSION = 50;

/** A request that is whole but for its last byte. */
type Held = () => Promise<void>;

/** A message of values that take four bytes each. */
function binaryBody(): Buffer {
  const functionCall = { a: Array(LIGHT_BYTES / 4 - 32).fill(false) };
  const messages = [{ role: "user", content: "hi there", functionCall }];
  const message = create(CreateMemoriesRequestSchema, { messages });
  return Buffer.from(encodeEnvelope(0, toBinary(CreateMemoriesRequestSchema, message)));
}

/** The same in JSON: objects of eight bytes each. */
function jsonBody(): Buffer {
  const tool_calls = Array(LIGHT_BYTES / 8 - 32).fill({ a: 1 });
  return Buffer.from(
    JSON.stringify({ messages: [{ role: "user", content: "hi there", tool_calls }] }),
  );
}

function holdByGrpc(attacker: Attacker, session: ClientHttp2Session, body: Buffer): Held {
  const stream = session.request({
    ":method": "POST",
    ":path": "/agentmemory.v1.MemoryService/CreateMemories",
    "content-type": "application/grpc",
    te: "trailers",
    authorization: `Bearer ${attacker.key}`,
  });
  let answer = "cut off";
  const note = (received: object) => {
    const { "grpc-status": status } = received as { readonly "grpc-status"?: string };
    if (status !== undefined) answer = `grpc ${status}`;
  };
  const over = Promise.withResolvers<void>();
  stream
    .on("error", () => {})
    .on("response", note)
    .on("trailers", note)
    .on("close", () => {
      attacker.count(answer);
      over.resolve();
    })
    .resume()
    .write(body.subarray(0, -1));
  return () => {
    stream.end(body.subarray(-1));
    return over.promise;
  };
}

function holdByRest(attacker: Attacker, socket: Socket, body: Buffer): Held {
  let received = "";
  const over = Promise.withResolvers<void>();
  socket
    .on("data", (chunk) => {
      received += chunk;
    })
    .on("close", () => {
      attacker.count(/^HTTP\/1\.1 (\d+)/.exec(received)?.[1] ?? "cut off");
      over.resolve();
    });
  socket.write(
    `POST /agent/memories HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${attacker.key}\r\nContent-Type: application/json\r\nConnection: close\r\nContent-Length: ${body.length}\r\n\r\n`,
  );
  socket.write(body.subarray(0, -1));
  return () => {
    socket.write(body.subarray(-1));
    return over.promise;
  };
}

/** Opens so many requests, and lets all become whole at once; again and again. */
function together(
  name: string,
  what: string,
  openAll: (attacker: Attacker, count: number) => { readonly held: Held[]; close(): void },
): NeighbourCase {
  return {
    name,
    what: `sends ${what} whose last bytes arrive together`,
    async arrange(attacker) {
      const count = attacker.size({ short: 20, full: MAX_REQUESTS_IN_FLIGHT });
      const rounds = attacker.size({ short: 1, full: 5 });
      const arriveMs = attacker.size({ short: 200, full: 1_000 });
      return async (signal) => {
        for (let round = 0; round < rounds && !signal.aborted; round++) {
          const { held, close } = openAll(attacker, count);
          await sleep(arriveMs);
          await Promise.all(held.map((release) => release()));
          close();
        }
      };
    },
  };
}

export const LIGHT_BODIES: readonly NeighbourCase[] = [
  together("light-bodies-grpc", "200 messages of 64 KiB by gRPC", (attacker, count) => {
    const body = binaryBody();
    const sessions = Array.from({ length: Math.ceil(count / STREAMS_A_SESSION) }, () =>
      attacker.session(),
    );
    const held = sessions.flatMap((session, index) =>
      Array.from({ length: Math.min(STREAMS_A_SESSION, count - index * STREAMS_A_SESSION) }, () =>
        holdByGrpc(attacker, session, body),
      ),
    );
    return { held, close: () => sessions.forEach((session) => void session.close()) };
  }),
  together("light-bodies-rest", "200 bodies of 64 KiB in JSON", (attacker, count) => {
    const body = jsonBody();
    const held = Array.from({ length: count }, () => holdByRest(attacker, attacker.socket(), body));
    return { held, close: () => {} };
  }),
];
