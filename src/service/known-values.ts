import type { KnownValueField } from "../domain/known-values.ts";
import { selectKnownTenants, selectKnownValues } from "../storage/known-values.ts";
import type { Caller, ServiceContext } from "./context.ts";
import { admitReader } from "./plan.ts";

/** The values that are asked for; an empty prefix: any. */
export interface KnownValuesQuery {
  readonly field: KnownValueField;
  readonly prefix: string;
  /** null: the default tenant. */
  readonly tenantId: string | null;
}

/** Suggests what the caller's memories can be narrowed to. Throws `plan_blocked`. */
export async function listKnownValues(
  context: ServiceContext,
  caller: Caller,
  { field, prefix, tenantId }: KnownValuesQuery,
): Promise<string[]> {
  admitReader(context, caller);
  if (field === "tenant_id") return selectKnownTenants(caller.db, prefix);
  return selectKnownValues(caller.db, { field, prefix, tenantId });
}
