import { NOBODYS_ID } from "../actions/supersessions.ts";
import type { Call, Recording } from "../call.ts";
import { type Knowledge, resultOf } from "../knowledge.ts";
import type { Verdicts } from "../verdicts.ts";

/** Every memory that is shown or stored is of the account and the tenant that it is shown to. */
export function judgeIsolation(
  verdicts: Verdicts,
  known: Knowledge,
  others: readonly Knowledge[],
  recording: Recording,
): void {
  for (const row of known.rows.memories) {
    const write = known.writeByLabel.get(row.source);
    const isOwn = write !== undefined && write.tenant === row.tenant_id;
    verdicts.check(
      "isolation",
      isOwn,
      `is stored where it was not written: ${JSON.stringify(row)}`,
    );
  }
  const companyId = recording.accounts[known.account]?.companyId;
  for (const call of known.calls) {
    judgeForeign(verdicts, known, others, call);
    const body = resultOf(call);
    if (body === null) continue;
    const isToOwner = body.company_id === undefined || body.company_id === companyId;
    verdicts.check("isolation", isToOwner, "the answer is another account's", call);
    for (const { id, source, tenant_id: tenant } of body.memories ?? body.timeline ?? []) {
      const write = known.writeByLabel.get(source);
      const holds =
        write !== undefined && write.tenant === (tenant ?? "") && isAskedFor(known, call, tenant);
      verdicts.check("isolation", holds, `${id} of ${source} is shown to another`, call);
    }
  }
}

function isAskedFor({ writeById }: Knowledge, call: Call, tenant: string | null): boolean {
  const id = call.request.memory_id;
  const asked =
    id === undefined ? (call.request.tenant_id ?? "") : writeById.get(String(id))?.tenant;
  return asked === undefined || asked === (tenant ?? "");
}

/** What names a memory of another account's, or nobody's, is refused and says which. */
function judgeForeign(
  verdicts: Verdicts,
  known: Knowledge,
  others: readonly Knowledge[],
  call: Call,
): void {
  const { memory_id: id, superseded_by: by } = call.request;
  const named = [id, by].flatMap((each) => (each === undefined ? [] : String(each)));
  if (named.length === 0) return;
  const foreign = named.filter((each) => others.some(({ writeById }) => writeById.has(each)));
  const isNobodys = named.includes(NOBODYS_ID);
  const { outcome } = call;
  const reason = outcome.kind === "refused" ? outcome.reason : null;
  const check = (holds: boolean, what: string) => verdicts.check("isolation", holds, what, call);
  if (foreign.length > 0 || isNobodys) {
    check(outcome.kind !== "done", "names what is not the caller's, and is done");
  }
  if (reason === "not_owner") {
    check(foreign.length > 0, "is refused as another account's, which it is not");
  }
  const isOnlyForeign = foreign.length > 0 && !isNobodys && others.every(isWithoutErasures);
  if (isOnlyForeign && known.erasures.length === 0) {
    check(reason !== "memory_not_found", "is another account's, and is refused as nobody's");
  }
}

function isWithoutErasures({ erasures }: Knowledge): boolean {
  return erasures.length === 0;
}
