import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { DatabaseLocation } from "../../src/storage/database.ts";

/** As `npm start` has it. */
export const NODE_FLAGS = ["--max-semi-space-size=8", "--max-old-space-size=768"];
const MAIN = join(import.meta.dirname, "../../src/main.ts");
/**
 * What every process of ours is started with: nothing of this process's own
 * environment but where programs are, what `npm start` sets, and a place to keep what was
 * compiled, which is half of what a start costs.
 */
export const PROCESS_VARIABLES = {
  PATH: process.env.PATH,
  MALLOC_ARENA_MAX: "2",
  NODE_COMPILE_CACHE: join(tmpdir(), "agent-memory-compile-cache"),
};

/** How the process is started, where it is not as an operator would. */
export interface ProcessOptions {
  /** Before the file that is run. */
  readonly nodeArguments?: readonly string[];
  /** Behind it. */
  readonly arguments?: readonly string[];
  /** A command that runs the one that it is given. */
  readonly wrapper?: readonly string[];
  /** Told of what the process sends by `process.send`. */
  readonly onMessage?: (message: unknown) => void;
}

/** `node src/main.ts` as an operator starts it. */
export interface ServiceProcess {
  /** Sends the process a message, which it takes by `process.on("message")`. */
  send(message: string): void;
  /** Of the API, as it was printed. */
  readonly url: string;
  readonly pid: number;
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
  options: ProcessOptions = {},
): Promise<ServiceProcess> {
  const { child, output, ended } = spawnService(variables, options);
  const listening = new Promise<void>((resolve) => {
    // On Postgres the log has the standard output for itself.
    for (const stream of [child.stdout, child.stderr]) {
      stream?.on("data", () => {
        if (/^api .+\n/m.test(output())) resolve();
      });
    }
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
    pid: child.pid ?? 0,
    send: (message) => void child.send(message),
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
  options: ProcessOptions = {},
): Promise<ProcessEnd> {
  return spawnService(variables, options).ended;
}

function spawnService(
  variables: Readonly<Record<string, string>>,
  { nodeArguments = [], arguments: given = [], wrapper = [], onMessage }: ProcessOptions,
) {
  const [command = "", ...rest] = [
    ...wrapper,
    process.execPath,
    ...NODE_FLAGS,
    ...nodeArguments,
    MAIN,
    ...given,
  ];
  const child: ChildProcess = spawn(command, rest, {
    env: {
      ...PROCESS_VARIABLES,
      PORT: "0",
      ADMIN_PORT: "0",
      RATE_LIMIT: "off",
      ...variables,
    },
    stdio: ["ignore", "pipe", "pipe", ...(onMessage === undefined ? [] : (["ipc"] as const))],
  });
  if (onMessage !== undefined) child.on("message", onMessage);
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
