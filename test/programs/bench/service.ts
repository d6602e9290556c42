import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { AccountIndexState } from "../../../gen/agentmemory/admin/v1/account_service_pb.ts";
import { createAdminClient } from "../../../src/cli/client.ts";
import type { TestLocation } from "../../support/database.ts";
import { databaseVariables, PROCESS_VARIABLES } from "../../support/service-process.ts";

const ROOT = join(import.meta.dirname, "../../..");
const { scripts } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8"));
/** What `npm start` does last, with its flags and variables: a shell replaces itself by it. */
const START: string = scripts.start.split("&&").at(-1);
const LOOK_MS = 5;
/** The most that an account may have. */
const LIMITS = { writesLimit: 2_000_000_000, rate: 1_000_000, burst: 1_000_000 };

/** The service as `npm start` runs it: with its log, its metrics and its limits. */
export interface RunningService {
  readonly url: string;
  readonly pid: number;
  /** From the start of the process to the first 200 of `/readyz`. */
  readonly readyMs: number;
  /** The database as it describes it, without where it is. */
  readonly description: string;
  /** With limits that nothing here reaches. */
  newAccount(companyId: string): Promise<{ readonly key: string }>;
  /** Makes the approximate index of a tenant's own. */
  indexTenant(companyId: string, tenantId: string): Promise<void>;
  /** Tells the process something, where `--import` has somebody listen; resolves with the reply. */
  ask(message: string): Promise<unknown>;
  close(): Promise<void>;
}

const LOOK_AT_INDEX_MS = 200;

export interface ServiceOptions {
  readonly variables?: Readonly<Record<string, string>>;
  /** Of those that `NODE_OPTIONS` may hold. */
  readonly nodeArguments?: readonly string[];
}

export async function startService(
  { location }: Pick<TestLocation, "location">,
  { variables = {}, nodeArguments = [] }: ServiceOptions = {},
): Promise<RunningService> {
  const startMs = performance.now();
  const child = spawn("sh", ["-c", START], {
    cwd: ROOT,
    env: {
      ...PROCESS_VARIABLES,
      PATH: `${dirname(process.execPath)}:${PROCESS_VARIABLES.PATH}`,
      NODE_OPTIONS: nodeArguments.map((each) => JSON.stringify(each)).join(" "),
      PORT: "0",
      ADMIN_PORT: "0",
      // Standard output is then the log alone, on every engine.
      NODE_ENV: "production",
      ...databaseVariables(location),
      ...variables,
    },
    stdio: ["ignore", "ignore", "pipe", "ipc"],
  });
  const ended = once(child, "close");
  const end = () => child.kill();
  process.once("exit", end);
  const said = await announcementOf(child);
  const url = /^api +(\S+)/m.exec(said)?.[1] ?? "";
  while (!(await fetch(`${url}/readyz`)).ok) await sleep(LOOK_MS);
  const readyMs = performance.now() - startMs;
  const adminPort = Number(/^admin +gRPC on port (\d+)/m.exec(said)?.[1]);
  const admin = createAdminClient({ host: "127.0.0.1", port: adminPort, token: null });
  return {
    url,
    pid: child.pid ?? 0,
    readyMs,
    description: /^database +(.+?) (?:in|at) \S+$/m.exec(said)?.[1] ?? "",
    async newAccount(companyId) {
      await admin.accounts.createAccount({ account: { companyId, ownLimits: LIMITS } });
      return { key: (await admin.apiKeys.createApiKey({ companyId })).secret };
    },
    async indexTenant(companyId, tenantId) {
      await admin.accounts.createAccountIndex({ companyId, tenantId });
      const isBuilding = async () => {
        const { indexes } = await admin.accounts.listAccountIndexes({});
        return indexes.some(({ state }) => state === AccountIndexState.BUILDING);
      };
      while (await isBuilding()) await sleep(LOOK_AT_INDEX_MS);
    },
    async ask(message) {
      const reply = once(child, "message");
      child.send(message);
      return (await reply)[0];
    },
    async close() {
      child.kill();
      await ended;
      process.removeListener("exit", end);
    },
  };
}

/** All that it says until it serves. */
function announcementOf(child: ChildProcess): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  let said = "";
  child.stderr?.setEncoding("utf8").on("data", (chunk: string) => {
    if (/^api .+\n/m.test(said)) return;
    said += chunk;
    if (/^api .+\n/m.test(said)) resolve(said);
  });
  child.once("close", () => reject(new Error(`The service ended before it served: ${said}`)));
  return promise;
}
