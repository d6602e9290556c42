import { toCompanyId } from "../domain/ids.ts";
import type { UsageLedger } from "../service/usage-ledger.ts";
import type { EndedCall } from "./observed-calls.ts";

/** Has a ledger count how calls of accounts ended. */
export function recordIn(ledger: UsageLedger): (account: string, call: EndedCall) => void {
  return (account, { rpc, reason, durationMs }) =>
    ledger.record({
      companyId: toCompanyId(account),
      rpc: rpc.slice(rpc.indexOf("/") + 1),
      isFailure: reason !== null,
      durationMs,
    });
}
