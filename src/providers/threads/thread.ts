import type { MessagePort } from "node:worker_threads";
import type { ModelCall } from "../model-call.ts";
import { TASKS, type TaskName } from "./tasks.ts";

/** A task on its way into a thread. */
export interface ThreadTask {
  readonly name: TaskName;
  readonly input: unknown;
  /** A message here says that the caller of the task has left. */
  readonly leaving: MessagePort;
}

/** The outcome of a task. There is none when the thread ends. */
export type ThreadOutcome = { readonly output: unknown } | { readonly error: unknown };

/** piscina calls this in the thread, one task at a time. */
export default async function run({ name, input, leaving }: ThreadTask): Promise<ThreadOutcome> {
  const left = new AbortController();
  leaving.once("message", () => left.abort());
  const task = TASKS[name] as (input: unknown, call: ModelCall) => Promise<unknown>;
  try {
    return { output: await task(input, { owner: null, signal: left.signal }) };
  } catch (error) {
    return { error };
  } finally {
    leaving.close();
  }
}
