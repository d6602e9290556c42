import { endOf } from "@agent-memory/transcoding/node-http";
import type { DescMethod } from "@bufbuild/protobuf";
import type { Interceptor } from "@connectrpc/connect";
import { MemoryService } from "../../gen/agentmemory/v1/memory_service_pb.ts";
import { FairSemaphore } from "../concurrency/fair-semaphore.ts";
import { MAX_TRANSFERS } from "../domain/limits.ts";
import { originOf } from "./origin.ts";
import { RequestsInFlight } from "./requests-in-flight.ts";
import { callerKey } from "./rpc/call.ts";

const { exportMemories, importMemories } = MemoryService.method;
const TRANSFERS: readonly DescMethod[] = [exportMemories, importMemories];

/** Of all accounts together; each holds some megabytes. */
const MAX_TRANSFERS_OF_ALL = 64;
const MAX_WAITING = 500;
/** For those of other accounts to end. */
const WAIT_MS = 10_000;

/**
 * Bounds the exports and imports that an account has going, and all accounts together, since
 * each holds much more than other calls do, and for as long as its client likes.
 *
 * Rejects with `too_many_in_flight` when the account has as many as it may, with `overloaded`
 * when all accounts together have, and none ends in time.
 */
export function limitTransfers(maxOfAll = MAX_TRANSFERS_OF_ALL): Interceptor {
  const ofAccount = new RequestsInFlight(
    MAX_TRANSFERS,
    `an account may have ${MAX_TRANSFERS} exports and imports at once`,
  );
  const ofAll = new FairSemaphore(
    {
      concurrent: maxOfAll,
      concurrentPerOwner: MAX_TRANSFERS,
      maxWaiting: MAX_WAITING,
      maxWaitingPerOwner: MAX_TRANSFERS,
      waitMs: WAIT_MS,
    },
    "too many exports and imports are going on",
  );
  return (next) => async (request) => {
    const { method, contextValues, signal } = request;
    if (TRANSFERS.includes(method)) {
      const caller = contextValues.get(callerKey);
      if (caller === null) throw new Error("a transfer is nobody's");
      const { request: received, response } = originOf(contextValues);
      const ended = endOf(received, response);
      ofAccount.admit(caller.companyId, ended);
      const release = await ofAll.acquire(caller.companyId, signal);
      void ended.then(release);
    }
    return next(request);
  };
}
