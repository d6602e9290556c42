import { fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { watchProcess } from "../../../support/process-use.ts";
import type { Sample } from "../findings.ts";
import type { LoadReply, LoadRequest, Played, Round, Work } from "./work.ts";

const GENERATOR = join(import.meta.dirname, "generator.ts");

/** Work that the process of the load has connections for. */
export interface OpenWork {
  /** `serving`: the process whose time and memory are looked at meanwhile. */
  run(round: Round, serving: number | null): Promise<Sample>;
  close(): Promise<void>;
}

/** The process that the load comes from. */
export interface Load {
  open(work: Work): Promise<OpenWork>;
  close(): Promise<void>;
}

type WithoutId<T> = T extends unknown ? Omit<T, "id"> : never;

/** `generator`: another file that plays the same messages. */
export function startLoad(
  generator: string = GENERATOR,
  env: Readonly<Record<string, string>> = {},
): Load {
  const child = fork(generator, {
    serialization: "advanced",
    env: { PATH: process.env.PATH, ...env },
  });
  const waiting = new Map<number, PromiseWithResolvers<Played | null>>();
  let lastId = 0;
  child.on("message", (reply: LoadReply) => {
    const waits = waiting.get(reply.id);
    waiting.delete(reply.id);
    if ("error" in reply) waits?.reject(new Error(reply.error));
    else waits?.resolve(reply.played);
  });
  const ended = once(child, "close");
  child.on("close", () => {
    for (const { reject } of waiting.values()) reject(new Error("The load's process has ended"));
  });
  const ask = (request: WithoutId<LoadRequest>): Promise<Played | null> => {
    const id = ++lastId;
    const answer = Promise.withResolvers<Played | null>();
    waiting.set(id, answer);
    child.send({ ...request, id });
    return answer.promise;
  };
  return {
    async open(work) {
      const handle = ++lastId;
      await ask({ do: "open", handle, work });
      return {
        async run(round, serving) {
          const watched = serving === null ? null : watchProcess(serving);
          const played = await ask({ do: "run", handle, round });
          const use = watched?.stop() ?? { cpuMs: null, residentMiB: null };
          if (played === null) throw new Error("Nothing was played");
          if (played.latenciesMs.length === 0)
            throw new Error(`No call succeeded: ${played.failure}`);
          const { latenciesMs, seconds, callerCpuMs, failures } = played;
          return { latenciesMs, seconds, callerCpuMs, failures, ...use };
        },
        close: async () => void (await ask({ do: "close", handle })),
      };
    },
    async close() {
      child.kill();
      await ended;
    },
  };
}
