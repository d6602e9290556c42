import { once } from "node:events";
import { constants } from "node:http2";
import { setTimeout as sleep } from "node:timers/promises";
import { formatApiKey } from "../../../../src/domain/api-key.ts";
import { repeat } from "../attacker.ts";
import type { NeighbourCase } from "../neighbour-case.ts";

const PREFACE = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";
const CONNECTIONS_AT_ONCE = 200;
const RESETS_A_SESSION = 1_000;
const STREAMS_A_SESSION = 256;
const PATHS_WITHOUT_KEY = ["/openapi.json", "/healthz", "/plan/status", "/nothing"];

/** A key that nobody was given: as well-formed as the others. */
function madeUpKey(): string {
  return formatApiKey(crypto.getRandomValues(new Uint8Array(32)));
}

export const CONNECTIONS: readonly NeighbourCase[] = [
  {
    name: "made-up-keys",
    what: "calls with 35,000 well-formed keys that do not exist, 1,000 at once",
    async arrange(attacker) {
      const count = attacker.size({ short: 500, full: 35_000 });
      const keys = Array.from({ length: count }, madeUpKey);
      const atOnce = attacker.size({ short: 100, full: 1_000 });
      return (signal) =>
        repeat(count, atOnce, signal, (index) =>
          attacker.send("GET", "/plan/status", { key: keys[index] }),
        );
    },
  },
  {
    name: "silent-connections",
    what: "opens 10,000 connections and sends only the preface of HTTP/2",
    async arrange(attacker) {
      const count = attacker.size({ short: 300, full: 10_000 });
      return async (signal) => {
        await repeat(count, CONNECTIONS_AT_ONCE, signal, async () => {
          const socket = attacker.socket();
          socket.on("close", () => attacker.count("closed"));
          await once(socket, "connect").catch(() => {});
          socket.write(PREFACE);
        });
        await sleep(2 ** 30, undefined, { signal }).catch(() => {});
      };
    },
  },
  {
    name: "unread-without-key",
    what: "opens 600 connections of HTTP/2 with 256 streams each, without a key, and reads no answer",
    async arrange(attacker) {
      const connections = attacker.size({ short: 4, full: 600 });
      return async (signal) => {
        await repeat(connections, CONNECTIONS_AT_ONCE, signal, async () => {
          const session = attacker.session(0);
          await once(session, "remoteSettings").catch(() => {});
          for (let index = 0; index < STREAMS_A_SESSION && !session.destroyed; index++) {
            const path = PATHS_WITHOUT_KEY[index % PATHS_WITHOUT_KEY.length];
            const stream = session.request({ ":path": path });
            stream.on("error", () => {});
            stream.on("response", (received) => attacker.count(`${received[":status"]}`));
          }
        });
        await sleep(2 ** 30, undefined, { signal }).catch(() => {});
      };
    },
  },
  {
    name: "rapid-reset",
    what: "opens 20,000 streams of HTTP/2 with its key on the starter plan, and resets each at once",
    limits: null,
    async arrange(attacker) {
      const count = attacker.size({ short: 500, full: 20_000 });
      return async (signal) => {
        for (let sent = 0; sent < count && !signal.aborted; ) {
          const session = attacker.session();
          await once(session, "connect").catch(() => {});
          for (let reset = 0; reset < RESETS_A_SESSION && !session.closed; reset++) {
            if (session.destroyed) break;
            const stream = attacker.stream(session, { ":path": "/plan/status" });
            stream.close(constants.NGHTTP2_CANCEL);
            if (++sent % 50 === 0) await sleep(0);
          }
          session.destroy();
        }
      };
    },
  },
];
