import { availableParallelism } from "node:os";
import { MessageChannel } from "node:worker_threads";
import { Piscina } from "piscina";
import { FairSemaphore, type QueueState } from "../../concurrency/fair-semaphore.ts";
import { Failure } from "../../domain/failure.ts";
import type { ModelCall } from "../model-call.ts";
import type { TaskInput, TaskName, TaskOutput, ThreadOutcome, ThreadTask } from "./thread.ts";

/** At least two: a long task of one account leaves one for the others. */
export const MIN_THREADS = 2;
export const MAX_THREADS = 8;
/** Tasks that wait for a thread; further ones are refused. */
export const MAX_WAITING_TASKS = 512;
export const MAX_WAITING_TASKS_OF_ACCOUNT = 64;
/** The longest wait of a task for a thread. */
export const MAX_TASK_WAIT_MS = 10_000;
/** The longest task. The largest conversation takes a tenth of it on an idle core. */
export const MAX_TASK_MS = 20_000;
/** An aborted task must end within this time, else its thread is terminated. */
export const ABORT_GRACE_MS = 80;
/** An idle thread ends after this time and frees its memory, except the kept one. */
const IDLE_THREAD_MS = 60_000;
/** Limit of one thread. */
const MAX_HEAP_MIB = 512;

const RETRY_AFTER_SECONDS = 60;

export interface ModelThreadsOptions {
  /** For errors outside of any task. */
  readonly log: { warn(fields: object, message: string): void };
  /**
   * Whether one thread starts at once and never ends, because the chosen models run in it.
   * Default: each thread starts when it is needed, and ends after IDLE_THREAD_MS without work.
   */
  readonly keepsOne?: boolean;
  /** Default: MAX_TASK_MS. */
  readonly maxTaskMs?: number;
  /** Default: ABORT_GRACE_MS. */
  readonly abortGraceMs?: number;
  /** Default: the number of cores, within the limits above. */
  readonly threads?: number;
  /** The module that the threads run. Default: `thread.ts`. */
  readonly module?: URL;
}

/** Threads for the models of this process: no text blocks the event loop. Accounts share fairly. */
export class ModelThreads {
  readonly #options: Required<ModelThreadsOptions>;
  readonly #semaphore: FairSemaphore;
  #pool: Piscina<ThreadTask, ThreadOutcome> | null = null;
  #isClosing = false;

  constructor(options: ModelThreadsOptions) {
    const cores = Math.min(Math.max(availableParallelism(), MIN_THREADS), MAX_THREADS);
    this.#options = {
      keepsOne: false,
      maxTaskMs: MAX_TASK_MS,
      abortGraceMs: ABORT_GRACE_MS,
      threads: cores,
      module: new URL("./thread.ts", import.meta.url),
      ...options,
    };
    const { threads } = this.#options;
    this.#semaphore = new FairSemaphore(
      {
        concurrent: threads,
        concurrentPerOwner: FairSemaphore.shareOfAccount(threads),
        maxWaiting: MAX_WAITING_TASKS,
        maxWaitingPerOwner: MAX_WAITING_TASKS_OF_ACCOUNT,
        waitMs: MAX_TASK_WAIT_MS,
      },
      "too many texts wait for the models of this server",
    );
  }

  /** The queue of the tasks, for the operator. */
  get queue(): QueueState {
    return this.#semaphore.state;
  }

  /**
   * Runs a task in a thread. Rejects with the error of the task, or at once with the signal's
   * reason. Rejects with `overloaded` when too many wait, and with `model_unavailable` when
   * the task took too long or its thread died; no other task fails then.
   */
  async run<Name extends TaskName>(
    name: Name,
    input: TaskInput<Name>,
    { owner, signal }: ModelCall,
  ): Promise<TaskOutput<Name>> {
    const release = await this.#semaphore.acquire(owner, signal);
    const answer = Promise.withResolvers<TaskOutput<Name>>();
    const { port1: leave, port2: leaving } = new MessageChannel();
    const thread = new AbortController();
    const endThread = () => thread.abort();
    const limit = setTimeout(endThread, this.#options.maxTaskMs);
    let grace: NodeJS.Timeout | undefined;
    const onAbort = () => {
      answer.reject(signal.reason);
      leave.postMessage(null);
      grace = setTimeout(endThread, this.#options.abortGraceMs);
    };
    signal.addEventListener("abort", onAbort);
    if (signal.aborted) onAbort();
    // The permit belongs to the thread: it is returned when the thread is free or gone.
    this.#inThread({ name, input, leaving }, thread.signal)
      .then(
        (outcome) => {
          if ("error" in outcome) answer.reject(outcome.error);
          else answer.resolve(outcome.output as TaskOutput<Name>);
        },
        (error: unknown) => answer.reject(error),
      )
      .finally(() => {
        signal.removeEventListener("abort", onAbort);
        clearTimeout(limit);
        clearTimeout(grace);
        leave.close();
        release();
      });
    return answer.promise;
  }

  /**
   * Starts the thread that is kept, if one is, and loads what texts are read with, so that
   * no request waits for that. Whatever fails will fail for a request, which says so.
   */
  async warmUp(): Promise<void> {
    if (!this.#options.keepsOne) return;
    const messages = [{ role: "user", content: "I live in Oslo." }] as const;
    const call = { owner: null, signal: new AbortController().signal };
    await this.run("extract", { messages, at: 0n }, call).catch(() => {});
  }

  /** Ends the threads; their tasks fail. */
  async close(): Promise<void> {
    const released = this.#semaphore.close();
    this.#isClosing = true;
    await this.#pool?.destroy();
    await released;
  }

  /** Rejects with `model_unavailable` when the thread ended before the task. */
  async #inThread(task: ThreadTask, end: AbortSignal): Promise<ThreadOutcome> {
    try {
      return await this.#openPool().run(task, { transferList: [task.leaving], signal: end });
    } catch (err) {
      const isDead = !end.aborted && !this.#isClosing;
      if (isDead) this.#options.log.warn({ err }, "a thread of the models died");
      const what = end.aborted ? "took too long over" : "failed on";
      throw new Failure("model_unavailable", `the model of this server ${what} the text`, {
        retryAfterSeconds: RETRY_AFTER_SECONDS,
        cause: err,
      });
    }
  }

  #openPool(): Piscina<ThreadTask, ThreadOutcome> {
    if (this.#pool !== null) return this.#pool;
    this.#pool = new Piscina<ThreadTask, ThreadOutcome>({
      filename: this.#options.module.href,
      minThreads: this.#options.keepsOne ? 1 : 0,
      maxThreads: this.#options.threads,
      idleTimeout: IDLE_THREAD_MS,
      resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MIB },
      recordTiming: false,
    });
    // The pool replaces a thread that dies while it is idle.
    this.#pool.on("error", (err) => this.#options.log.warn({ err }, "a thread of the models died"));
    return this.#pool;
  }
}
