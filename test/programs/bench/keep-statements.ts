/**
 * Loaded before the service (`--import`) in a process whose parent asks what it sent to the
 * database: the statements themselves are the floor that the service is held against.
 */
import pg from "pg";
import type { Statement, StatementValue } from "./load/work.ts";

const { prototype } = pg.Client;
// biome-ignore lint/suspicious/noExplicitAny: it is called in more ways than its types tell
const query: (...given: any[]) => any = prototype.query;
let kept: Statement[] = [];

// biome-ignore lint/suspicious/noExplicitAny: as above
prototype.query = function keepAndQuery(this: pg.Client, ...given: any[]) {
  const [{ text, values = [] }] = given;
  if (typeof text === "string") kept.push({ text, values: values.map(toValue) });
  return query.apply(this, given);
};

function toValue(value: unknown): StatementValue {
  if (value instanceof Uint8Array) {
    return { kind: "bytes", base64: Buffer.from(value).toString("base64") };
  }
  return { kind: "given", value: value as string };
}

process.on("message", () => {
  process.send?.(kept);
  kept = [];
});
// To listen must not keep the process alive.
process.channel?.unref();
