import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { connect, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestCertificate } from "./certificate.ts";

const USUAL_PATHS = ["/usr/bin/redis-server", "/usr/bin/valkey-server"];

const executablePath = process.env.TEST_REDIS ?? USUAL_PATHS.find((path) => existsSync(path));

/** It is not among what npm installs: where it is missing, tests that need one are skipped. */
export const NO_REDIS =
  executablePath === undefined
    ? "no Redis found: install redis-server, or name one in TEST_REDIS"
    : null;

const ATTEMPTS = 5;

export interface TestRedisOptions {
  readonly password?: string;
  /** It then speaks TLS alone. */
  readonly certificate?: TestCertificate;
}

/** A Redis of a test's own, with nothing in it. */
export interface TestRedis {
  readonly port: number;
  /** As REDIS_URL, without a password. */
  readonly url: string;
  /** Ends it at once, as a crash would. */
  kill(): Promise<void>;
  /** Starts it again on its port, empty. */
  restart(): Promise<void>;
  /** Stops it where it is: connections stay open, and nothing is answered. */
  freeze(): void;
  thaw(): void;
  remove(): Promise<void>;
}

export async function startTestRedis(options: TestRedisOptions = {}): Promise<TestRedis> {
  const folder = await mkdtemp(join(tmpdir(), "agent-memory-redis-"));
  let port = 0;
  let child: ChildProcess | null = null;
  for (let attempt = 1; child === null; attempt++) {
    port = await freePort();
    // Another process may take the port meanwhile.
    child = await start(port, folder, options);
    if (child === null && attempt === ATTEMPTS) throw new Error("Redis did not start");
  }
  let running: ChildProcess = child;
  async function kill(): Promise<void> {
    if (running.exitCode !== null || running.signalCode !== null) return;
    const ended = once(running, "exit");
    running.kill("SIGKILL");
    await ended;
  }
  return {
    port,
    url: `${options.certificate === undefined ? "redis" : "rediss"}://localhost:${port}`,
    kill,
    async restart() {
      const again = await start(port, folder, options);
      if (again === null) throw new Error("Redis did not start again");
      running = again;
    },
    freeze: () => void running.kill("SIGSTOP"),
    thaw: () => void running.kill("SIGCONT"),
    async remove() {
      await kill();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** null: it ended, mostly because the port was taken. */
async function start(
  port: number,
  folder: string,
  { password, certificate }: TestRedisOptions,
): Promise<ChildProcess | null> {
  const listening =
    certificate === undefined
      ? ["--port", `${port}`]
      : [
          ...["--port", "0", "--tls-port", `${port}`, "--tls-auth-clients", "no"],
          ...["--tls-cert-file", certificate.tls.certFile],
          ...["--tls-key-file", certificate.tls.keyFile],
          ...["--tls-ca-cert-file", certificate.tls.certFile],
        ];
  const secured = password === undefined ? [] : ["--requirepass", password];
  const flags = ["--bind", "127.0.0.1", "--dir", folder, "--save", "", "--appendonly", "no"];
  const child = spawn(executablePath ?? "", [...listening, ...secured, ...flags], {
    stdio: "ignore",
  });
  const ended = once(child, "exit").then(() => false);
  while (!(await Promise.race([accepts(port), ended]))) {
    if (child.exitCode !== null) return null;
    await new Promise(setImmediate);
  }
  return child;
}

function accepts(port: number): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const socket = connect(port, "127.0.0.1");
  socket.once("connect", () => resolve(true)).once("error", () => resolve(false));
  return promise.finally(() => socket.destroy());
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  server.close();
  await once(server, "close");
  return typeof address === "object" && address !== null ? address.port : 0;
}
