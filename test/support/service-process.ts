import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { DatabaseLocation } from "../../src/storage/database.ts";

const MAIN = join(import.meta.dirname, "../../src/main.ts");
/**
 * What every process of ours is started with: nothing of this process's own
 * environment but where programs are, and a place to keep what was compiled, which is
 * half of what a start costs.
 */
export const PROCESS_VARIABLES = {
  PATH: process.env.PATH,
  NODE_COMPILE_CACHE: join(tmpdir(), "agent-memory-compile-cache"),
};

/** `node src/main.ts` as an operator starts it. */
export interface ServiceProcess {
  /** Of the API, as it was printed. */
  readonly url: string;
  /** Everything printed so far, errors included. */
  output(): string;
  /** The key in what was printed; null: none was. */
  readonly printedKey: string | null;
  /** Sends a signal and waits for the end. */
  end(signal: NodeJS.Signals): Promise<ProcessEnd>;
  signal(signal: NodeJS.Signals): void;
  readonly ended: Promise<ProcessEnd>;
}

export interface ProcessEnd {
  /** null: a signal ended it. */
  readonly code: number | null;
  readonly output: string;
}

/** The variables that name a database. */
export function databaseVariables(location: DatabaseLocation): Record<string, string> {
  return location.engine === "pglite"
    ? { DATA_DIR: location.dataDir }
    : { DATABASE_URL: location.url };
}

/** Starts the service on free ports and waits until it serves. Rejects when it ends before. */
export async function startServiceProcess(
  variables: Readonly<Record<string, string>>,
): Promise<ServiceProcess> {
  const { child, output, ended } = spawnService(variables);
  const listening = new Promise<void>((resolve) => {
    child.stdout?.on("data", () => {
      if (/^api .+\n/m.test(output())) resolve();
    });
  });
  await Promise.race([
    listening,
    ended.then(({ output: text }) => {
      throw new Error(`The service ended before it served: ${text}`);
    }),
  ]);
  const url = /^api +(\S+)/m.exec(output())?.[1] ?? "";
  // It answers once all is printed; a turn of the loop later all of it was read here.
  await fetch(`${url}/healthz`);
  await new Promise(setImmediate);
  return {
    url,
    output,
    get printedKey() {
      return /\bsvc_\w+/.exec(output())?.[0] ?? null;
    },
    ended,
    signal: (signal) => void child.kill(signal),
    end: (signal) => {
      child.kill(signal);
      return ended;
    },
  };
}

/** Starts the service where it must not start, and waits for its end. */
export async function startFailingService(
  variables: Readonly<Record<string, string>>,
): Promise<ProcessEnd> {
  return spawnService(variables).ended;
}

function spawnService(variables: Readonly<Record<string, string>>) {
  const child: ChildProcess = spawn(process.execPath, [MAIN], {
    env: {
      ...PROCESS_VARIABLES,
      PORT: "0",
      ADMIN_PORT: "0",
      RATE_LIMIT: "off",
      ...variables,
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let text = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding("utf8").on("data", (chunk: string) => {
      text += chunk;
    });
  }
  const output = () => text;
  const ended = once(child, "close").then(([code]): ProcessEnd => ({ code, output: text }));
  return { child, output, ended };
}
