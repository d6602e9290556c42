import { fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";

/** A server of the bench in a process of its own. */
export interface Serving {
  readonly url: string;
  readonly pid: number;
  close(): Promise<void>;
}

/** What it is told to serve, and says when it does. */
export interface Served {
  readonly port: number;
}

/** Starts a file beside this one, which is handed `setup` as a message and replies with `Served`. */
export async function startServer(
  file: string,
  setup: unknown,
  env: Readonly<Record<string, string>> = {},
): Promise<Serving> {
  const child = fork(join(import.meta.dirname, file), {
    serialization: "advanced",
    env: { PATH: process.env.PATH, ...env },
  });
  const ended = once(child, "close");
  child.send({ setup });
  const first = await Promise.race([once(child, "message"), ended.then(() => null)]);
  if (first === null) throw new Error(`${file} ended before it served`);
  const [{ port }] = first as [Served];
  return {
    url: `http://127.0.0.1:${port}`,
    pid: child.pid ?? 0,
    async close() {
      child.kill();
      await ended;
    },
  };
}
