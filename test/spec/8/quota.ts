import { billingPeriod } from "../../../src/domain/account.ts";
import { parseInstant, SECOND } from "../../../src/domain/instant.ts";
import type { TestAccount } from "../../support/service.ts";
import { plan, unique } from "../calls.ts";
import type { Spec } from "../spec.ts";

/** A conversation with so many facts. */
export function conversation(spec: Spec, facts: number) {
  const opening = unique(`${facts} facts`);
  spec.script.extractions.set(opening, () =>
    Array.from({ length: facts }, (_, i) => ({ decision: `Fact ${i} of ${opening}` })),
  );
  return { messages: [{ role: "user", content: opening }] };
}

/** Seconds to the end of the account's billing period. */
export async function secondsToNextPeriod(spec: Spec, account: TestAccount): Promise<number> {
  const start = parseInstant((await plan(account)).period_start) ?? 0n;
  const now = spec.service.clock.now();
  return Number(billingPeriod(start, now).end - now) / Number(SECOND);
}
