import { endOf } from "@agent-memory/transcoding/node-http";
import type { DescMethod, Message } from "@bufbuild/protobuf";
import type { Interceptor } from "@connectrpc/connect";
import { MemoryService } from "../../gen/agentmemory/v1/memory_service_pb.ts";
import { FairSemaphore } from "../concurrency/fair-semaphore.ts";
import { Failure } from "../domain/failure.ts";
import type { CompanyId } from "../domain/ids.ts";
import { MAX_LARGE_RESPONSES, MAX_REQUESTS_IN_FLIGHT } from "../domain/limits.ts";
import { originOf } from "./origin.ts";
import { callerKey } from "./rpc/call.ts";
import { charactersOf } from "./rpc-large-answer.ts";

/** Of all accounts together; each is of some megabytes. */
const MAX_LARGE_RESPONSES_OF_ALL = 128;
const MAX_WAITING = 2_000;
/** For the account's other responses to be read. */
const WAIT_MS = 10_000;
const RETRY_AFTER_SECONDS = 5;

/** Shorter messages of a stream are on their way as soon as they are written. */
const MIN_LARGE_CHARACTERS = 64 * 1024;

const { listMemories, getMemoryTimeline, queryMemories, searchMemories } = MemoryService.method;
/** What they answer is what they read: they wait before they read it. */
const READS: readonly DescMethod[] = [listMemories, getMemoryTimeline];

/**
 * Has the calls whose responses may be large take turns, account by account, so that what
 * is read and not yet sent is bounded however many are asked for (D37). A turn ends with
 * the response. A question waits when it is answered: models take longer than readers. Of a
 * stream each large message waits, and its turn ends when it was taken.
 *
 * Rejects with `too_many_in_flight` when the account does not read what it is sent, with
 * `overloaded` when the accounts together have too much outstanding.
 */
export function createLargeResponseTurns(): Interceptor {
  const turns = new FairSemaphore(
    {
      concurrent: MAX_LARGE_RESPONSES_OF_ALL,
      concurrentPerOwner: MAX_LARGE_RESPONSES,
      maxWaiting: MAX_WAITING,
      maxWaitingPerOwner: MAX_REQUESTS_IN_FLIGHT,
      waitMs: WAIT_MS,
    },
    "too many responses wait to be sent",
  );

  async function takeTurn(companyId: CompanyId, signal: AbortSignal): Promise<() => void> {
    try {
      return await turns.acquire(companyId, signal);
    } catch (error) {
      if (signal.aborted || turns.heldBy(companyId) < MAX_LARGE_RESPONSES) throw error;
      throw new Failure(
        "too_many_in_flight",
        `${MAX_LARGE_RESPONSES} large responses were sent to this account and not read yet`,
        { retryAfterSeconds: RETRY_AFTER_SECONDS, cause: error },
      );
    }
  }

  /** Whoever takes the messages may stop without a word when the response has `ended`. */
  async function* inTurns(
    messages: AsyncIterable<Message>,
    takeTurnOfCaller: () => Promise<() => void>,
    ended: Promise<void>,
  ): AsyncGenerator<Message> {
    let release = () => {};
    void ended.then(() => release());
    for await (const message of messages) {
      if (charactersOf(message) >= MIN_LARGE_CHARACTERS) release = await takeTurnOfCaller();
      try {
        yield message;
      } finally {
        release();
      }
    }
  }

  return (next) => async (request) => {
    const { method, contextValues, signal } = request;
    const isRead = READS.includes(method);
    const isQuestion = method === queryMemories || method === searchMemories;
    if (!isRead && !isQuestion && !request.stream) return next(request);
    const caller = contextValues.get(callerKey);
    if (caller === null) throw new Error("a response is for nobody");
    const { request: received, response } = originOf(contextValues);
    const ended = endOf(received, response);
    if (request.stream) {
      const streamed = await next(request);
      if (!streamed.stream) return streamed;
      const turn = () => takeTurn(caller.companyId, signal);
      return { ...streamed, message: inTurns(streamed.message, turn, ended) };
    }
    const answered = isRead ? null : await next(request);
    const release = await takeTurn(caller.companyId, signal);
    // What comes next may throw at once, as it refuses a request.
    const answer = answered === null ? Promise.try(next, request) : Promise.resolve(answered);
    // A client that leaves ends its response before the statement that reads for it.
    void Promise.allSettled([answer, ended]).then(release);
    return answer;
  };
}
