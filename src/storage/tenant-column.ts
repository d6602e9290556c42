/**
 * The default tenant, as the column `tenant_id` stores it. Null would drop the
 * row out of foreign keys and of index look-ups by equality; '' is free, because
 * the interface refuses it as a tenant's name (D8).
 */
const DEFAULT_TENANT = "";

/** `null`: the default tenant. */
export function toTenantColumn(tenantId: string | null): string {
  return tenantId ?? DEFAULT_TENANT;
}

export function fromTenantColumn(column: string): string | null {
  return column === DEFAULT_TENANT ? null : column;
}
