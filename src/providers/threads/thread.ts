import { getPriority, setPriority } from "node:os";
import type { MessagePort } from "node:worker_threads";
import { createLocalProviders } from "@agent-memory/offline-models";
import type { ModelCall } from "../model-call.ts";

/** Lower than the thread of the event loop by so much, where the cores do not do for both. */
const LESS_PRIORITY = 5;
const LOWEST_PRIORITY = 19;

// Texts take as long as they take; the loop and the embedded database answer everybody. To
// Linux alone 0 is the thread that asks, elsewhere it is the whole process.
if (process.platform === "linux") {
  setPriority(0, Math.min(getPriority(0) + LESS_PRIORITY, LOWEST_PRIORITY));
}

const { extractor, answerer, classifier, embedder } = createLocalProviders();

/** The tasks of the threads. Inputs and outputs are plain data: they are copied. */
export const TASKS = {
  extract: extractor.extract,
  answer: answerer.answer,
  classify: classifier.classify,
  embed: ([texts, purpose]: [readonly string[], "document" | "query"], call: ModelCall) =>
    embedder.embed(texts, purpose, call),
};

export type TaskName = keyof typeof TASKS;
export type TaskInput<Name extends TaskName> = Parameters<(typeof TASKS)[Name]>[0];
export type TaskOutput<Name extends TaskName> = Awaited<ReturnType<(typeof TASKS)[Name]>>;

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
