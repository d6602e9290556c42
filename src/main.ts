import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:net";
import { v7 as uuidv7 } from "uuid";
import { ConfigError, readConfig } from "./config/config.ts";
import { requestFields } from "./edge/observed-calls.ts";
import { createLog, forTerminal } from "./log.ts";
import type { Runtime } from "./runtime.ts";
import { type RunningServer, startServer } from "./server/server.ts";

const HELP = `Usage: npm start

Starts the service. It takes no arguments: environment variables set it up, and each is
described in docs/reference/settings.md. Without any it listens on 127.0.0.1:8080 and keeps
its database in ./data.

npm run admin -- --help has the operator's commands.`;

answerArguments(process.argv.slice(2));

/** The process: environment, clock, randomness and signals. Everything else receives these. */
try {
  const config = readConfig(process.env);
  const lines = process.stdout.isTTY ? await forTerminal() : undefined;
  const runtime: Runtime = {
    now: () => BigInt(Date.now()) * 1000n,
    newId: () => uuidv7(),
    randomBytes,
    monotonicMs: () => performance.now(),
    log: createLog(config.logLevel, lines, requestFields),
  };
  await checkPortIsFree("PORT", config);
  await checkPortIsFree("ADMIN_PORT", config.admin);
  const server = await startServer(config, runtime);
  // In production standard output holds the lines of the log alone, and no key.
  const isProduction = config.isProduction || config.database.engine === "postgres";
  const isLog = !process.stdout.isTTY && isProduction;
  const say = isLog ? console.error : console.log;
  announce(server, say);
  closeOnSignal(server);
  void server.threads.warmUp();
} catch (error) {
  console.error(whyNotStarted(error));
  // With `exitCode` a started worker or timer would keep the process alive.
  process.exit(1);
}

/** Ends the process where it was given any: whoever asks for help wants no service started. */
function answerArguments([argument]: readonly string[]): void {
  if (argument === undefined) return;
  if (argument === "--help" || argument === "-h") {
    console.log(HELP);
    process.exit(0);
  }
  console.error(`error: unknown argument ${JSON.stringify(argument)}; --help says what there is`);
  process.exit(2);
}

/** Before there is a database, which takes seconds to make. Throws an Error that says what to do. */
async function checkPortIsFree(
  name: string,
  { host, port }: { readonly host: string; readonly port: number },
): Promise<void> {
  const probe = createServer().listen(port, host);
  try {
    await once(probe, "listening");
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "EADDRINUSE")) return;
    throw new Error(`port ${port} is taken: ${name}=${port + 10} npm start takes another`);
  } finally {
    probe.close();
  }
}

/** A sentence for the operator; with LOG_LEVEL=debug the stack. */
function whyNotStarted(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error instanceof ConfigError) return error.message;
  const isDebugging = ["debug", "trace"].includes(process.env.LOG_LEVEL ?? "");
  if (isDebugging) return error.stack ?? error.message;
  return `The service did not start: ${error.message}`;
}

function announce(server: RunningServer, say: (line: string) => void): void {
  const { url, signInUrl, firstApiKey } = server;
  say(`database  ${server.description.database}`);
  say(`models    ${server.description.models}`);
  say(`admin     gRPC on port ${server.adminPort}`);
  say(`api       ${url} (JSON, gRPC, gRPC-Web, Connect)`);
  if (signInUrl !== null) say(`dashboard ${signInUrl} (works once, within ten minutes)`);
  if (firstApiKey !== null) say(firstSteps(url, firstApiKey));
  else if (signInUrl !== null) say("key       npm run -s admin -- key create local prints another");
}

function firstSteps(url: string, key: string): string {
  const curl = (path: string, body: object) =>
    `curl -s ${url}${path} -H "authorization: Bearer $KEY" -H 'content-type: application/json' -d '${JSON.stringify(body)}'`;
  return `
The account "local" was created. Its API key is shown this once:

export KEY=${key}

Write:
${curl("/agent/memories", { content: "Alice is allergic to peanuts" })}

Ask:
${curl("/agent/query", { question: "What is Alice allergic to?" })}
`;
}

/** The first signal lets requests in flight finish; a second one ends the process at once. */
function closeOnSignal(server: RunningServer): void {
  let closing = false;
  const close = () => {
    if (closing) process.exit(1);
    closing = true;
    server.close().then(
      () => process.exit(0),
      (error: unknown) => {
        console.error(error);
        process.exit(1);
      },
    );
  };
  process.on("SIGINT", close);
  process.on("SIGTERM", close);
}
