import { Agent, createServer, request as httpRequest } from "node:http";
import type { AddressInfo } from "node:net";
import { performance } from "node:perf_hooks";
import { sql } from "kysely";
import { startTestService } from "../support/service.ts";

/**
 * Prints what each call of the service takes beside its floor, measured in the
 * same run: node:http answering JSON after one round trip to the same database.
 * Read the ratios; the milliseconds are this machine's and this moment's.
 *
 *     npm run bench            on PGlite, or on Postgres with TEST_DATABASE_URL
 */
const WARM_UP_CALLS = 50;
const MEMORIES = 1_000;

const service = await startTestService();
const { rest: _, key } = await service.createAccount({ writesLimit: 1_000_000 });
const agent = new Agent({ keepAlive: true, maxSockets: 64 });
const floor = createServer(async (_request, response) => {
  await sql`select 1`.execute(service.context.db);
  response.setHeader("content-type", "application/json");
  response.end('{"status":"ok"}');
}).listen(0, "127.0.0.1");
await new Promise((resolve) => floor.once("listening", resolve));

function call(port: number, method: string, path: string, body?: object): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const headers = {
    authorization: `Bearer ${key}`,
    ...(body !== undefined && { "content-type": "application/json" }),
  };
  const request = httpRequest({ agent, host: "127.0.0.1", port, method, path, headers });
  request.on("error", reject);
  request.on("response", (response) => {
    response.resume();
    response.on("end", () =>
      response.statusCode === 200 ? resolve() : reject(new Error(`status ${response.statusCode}`)),
    );
  });
  request.end(body === undefined ? undefined : JSON.stringify(body));
  return promise;
}

interface Measurement {
  readonly callsASecond: number;
  readonly medianMs: number;
}

async function measure(
  calls: number,
  clients: number,
  run: (index: number) => Promise<void>,
): Promise<Measurement> {
  for (let index = 0; index < WARM_UP_CALLS; index++) await run(-index - 1);
  const times: number[] = [];
  let next = 0;
  const start = performance.now();
  await Promise.all(
    Array.from({ length: clients }, async () => {
      while (next < calls) {
        const index = next++;
        const before = performance.now();
        await run(index);
        times.push(performance.now() - before);
      }
    }),
  );
  const seconds = (performance.now() - start) / 1_000;
  times.sort((a, b) => a - b);
  return { callsASecond: calls / seconds, medianMs: times[calls >> 1] ?? Number.NaN };
}

const api = (method: string, path: string, body?: object) => call(service.port, method, path, body);
const write = (index: number) =>
  api("POST", "/agent/memories", { content: `Person ${index} works on project ${index}` });
const ask = (index: number) =>
  api("POST", "/agent/query", { question: `Which project does person ${index} work on?` });

const { port } = floor.address() as AddressInfo;
console.log(service.description.database);
console.log("what                 clients   calls/s   median ms   times the floor");
const floors = new Map<number, Measurement>();
for (const clients of [1, 8]) {
  floors.set(clients, await report("floor", 1_000, clients, () => call(port, "GET", "/")));
}
for (const clients of [1, 8]) {
  await report("plan status", 1_000, clients, () => api("GET", "/plan/status"));
  await report("write", MEMORIES / 2, clients, write);
  await report("ask", 300, clients, ask);
  await report("list of 100", 300, clients, () => api("GET", "/agent/memories?limit=100"));
}
agent.destroy();
floor.close();
await service.close();

async function report(
  what: string,
  calls: number,
  clients: number,
  run: (index: number) => Promise<void>,
): Promise<Measurement> {
  const measured = await measure(calls, clients, run);
  const base = floors.get(clients) ?? measured;
  console.log(
    [
      what.padEnd(20),
      String(clients).padStart(7),
      measured.callsASecond.toFixed(0).padStart(9),
      measured.medianMs.toFixed(2).padStart(11),
      (measured.medianMs / base.medianMs).toFixed(1).padStart(17),
    ].join(" "),
  );
  return measured;
}
