import { remember } from "../calls.ts";
import type { Spec } from "../spec.ts";

export const JANUARY = "2024-01-01T00:00:00.000000Z";
export const FEBRUARY = "2024-02-01T00:00:00.000000Z";
export const MARCH = "2024-03-01T00:00:00.000000Z";
export const APRIL = "2024-04-01T00:00:00.000000Z";

/** An account with one memory since January and one since March. */
export async function oldAndFresh(spec: Spec, tenant_id: string | null = null) {
  const account = await spec.service.createAccount();
  const old = await remember(account, "Ada lives in Rome", { valid_from: JANUARY, tenant_id });
  const fresh = await remember(account, "Ada lives in Paris", { valid_from: MARCH, tenant_id });
  return { account, old, fresh };
}
