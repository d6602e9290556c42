import { setTimeout as sleep } from "node:timers/promises";
import { MAX_BODY_BYTES } from "../../../../src/domain/limits.ts";
import { repeat } from "../attacker.ts";
import type { NeighbourCase } from "../neighbour-case.ts";

/** As often as fits into a body, between a start and an end. */
function filled(start: string, each: (index: number) => string, end: string): string {
  const parts: string[] = [];
  let bytes = start.length + end.length;
  for (let index = 0; ; index++) {
    const part = (index === 0 ? "" : ",") + each(index);
    bytes += part.length;
    if (bytes > MAX_BODY_BYTES) return start + parts.join("") + end;
    parts.push(part);
  }
}

function nested(levels: number): string {
  return `{"content":${"[".repeat(levels)}${"]".repeat(levels)}}`;
}

const BODIES_OF_CASES: readonly (readonly [name: string, what: string, body: () => string])[] = [
  [
    "unknown-array",
    "bodies of 1 MiB whose unknown field is an array of numbers",
    () => filled('{"nothing":[', () => "1", "]}"),
  ],
  [
    "empty-messages",
    "conversations of 300,000 empty messages",
    () => filled('{"messages":[', () => "{}", "]}"),
  ],
  [
    "many-keys",
    "bodies of 90,000 fields that do not exist",
    () => filled("{", (index) => `"k${index}":1`, "}"),
  ],
  [
    "many-entries",
    "settings of 1 MiB with 200,000 excluded categories",
    () => filled('{"excluded_categories":[', () => '"ab"', "]}"),
  ],
  ["deep-nesting", "bodies of half a million brackets", () => nested(MAX_BODY_BYTES / 2 - 16)],
];

const SLOW_BODY = '{"content":"slow"}';

export const BODIES: readonly NeighbourCase[] = [
  ...BODIES_OF_CASES.map(
    ([name, what, bodyOf]): NeighbourCase => ({
      name,
      what: `sends ${what}, 64 at once`,
      async arrange(attacker) {
        const body = Buffer.from(bodyOf());
        const [method, path] =
          name === "many-entries" ? ["PATCH", "/agent/settings"] : ["POST", "/agent/memories"];
        const count = attacker.size({ short: 16, full: 256 });
        return (signal) => repeat(count, 64, signal, () => attacker.send(method, path, { body }));
      },
    }),
  ),
  {
    name: "slow-bodies",
    what: "opens 500 writes with its key whose bodies come byte by byte",
    async arrange(attacker) {
      const count = attacker.size({ short: 50, full: 500 });
      return async (signal) => {
        const head = `POST /agent/memories HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${attacker.key}\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n`;
        const sockets = Array.from({ length: count }, () => {
          const socket = attacker.socket();
          socket.write(head);
          return socket;
        });
        for (let index = 0; !signal.aborted; index++) {
          for (const socket of sockets) {
            if (socket.writable) socket.write(SLOW_BODY.charAt(index) || " ");
          }
          await sleep(200);
        }
      };
    },
  },
];
