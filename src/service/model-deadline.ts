import { Failure } from "../domain/failure.ts";
import type { MemoryContext } from "./context.ts";

const RETRY_AFTER_SECONDS = 5;

/**
 * Bounds the calls of models of one request: the signal that `work` hands to them
 * is aborted when the client goes away or when they have taken too long together.
 * They then fail with `model_unavailable`; what does not call a model goes on.
 */
export async function withModelDeadline<T>(
  { modelRequestTimeoutMs }: MemoryContext,
  signal: AbortSignal,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const deadline = new AbortController();
  const timer = setTimeout(() => deadline.abort(tookTooLong()), modelRequestTimeoutMs);
  try {
    return await work(AbortSignal.any([signal, deadline.signal]));
  } finally {
    clearTimeout(timer);
  }
}

function tookTooLong(): Failure {
  return new Failure("model_unavailable", "the models took too long to answer", {
    retryAfterSeconds: RETRY_AFTER_SECONDS,
  });
}
