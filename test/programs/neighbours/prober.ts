import { Agent, request } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import type { Answers } from "./neighbour-case.ts";

/** Between an answer and the next request: the prober is no attacker itself. */
const PAUSE_MS = 10;
/** Every so many requests a connection of their own. */
const NEW_CONNECTION_EVERY = 2;
/** Whoever waits longer has no answer. */
const PATIENCE_MS = 60_000;

/** How long somebody waited for answers, in milliseconds. */
export interface Waits {
  readonly answers: Answers;
  readonly count: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly longestMs: number;
}

/**
 * Asks for the status of the plan in a loop, one request at a time, until the signal:
 * every second one on a new connection, the others on one that is kept.
 */
export async function probe(port: number, key: string, signal: AbortSignal): Promise<Waits> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const answers: Record<string, number> = {};
  const waits: number[] = [];
  for (let index = 0; !signal.aborted; index++) {
    const before = performance.now();
    const kept = index % NEW_CONNECTION_EVERY === 0 ? agent : false;
    const answer = await ask(port, key, kept).catch((error: unknown) => nameOf(error));
    waits.push(performance.now() - before);
    answers[answer] = (answers[answer] ?? 0) + 1;
    await sleep(PAUSE_MS);
  }
  agent.destroy();
  waits.sort((a, b) => a - b);
  const part = (share: number) => waits[Math.ceil(share * waits.length) - 1] ?? 0;
  return {
    answers,
    count: waits.length,
    p50Ms: part(0.5),
    p99Ms: part(0.99),
    longestMs: part(1),
  };
}

/** The status of the answer, once all of it is there. */
function ask(port: number, key: string, agent: Agent | false): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const outgoing = request(
    {
      agent,
      host: "127.0.0.1",
      port,
      path: "/plan/status",
      headers: { authorization: `Bearer ${key}` },
      timeout: PATIENCE_MS,
    },
    (incoming) => {
      incoming.on("error", reject);
      incoming.on("end", () => resolve(String(incoming.statusCode)));
      incoming.resume();
    },
  );
  outgoing.on("timeout", () => outgoing.destroy(new Error("no answer")));
  outgoing.on("error", reject);
  outgoing.end();
  return promise;
}

function nameOf(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  return code ?? message;
}
