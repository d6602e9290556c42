import { Failure, invalidField } from "./failure.ts";

/** What an API key may do (D48). */
export const RIGHTS = ["read", "write", "delete", "import"] as const;
export type Right = (typeof RIGHTS)[number];

/** Of a key that is made without any: the calls of the contract. */
export const DEFAULT_RIGHTS: readonly Right[] = ["read", "write", "delete"];

export interface KeyRights {
  readonly rights: readonly Right[];
  /** Names of tenants, or beginnings of names, which end in `*`. Empty: every tenant, the default one too. */
  readonly tenants: readonly string[];
}

/** The rights of a new key; none given: the default ones. Throws `invalid_field`. */
export function readRights(words: readonly string[]): readonly Right[] {
  for (const [index, word] of words.entries()) {
    if (RIGHTS.some((right) => right === word)) continue;
    throw invalidField(`rights[${index}]`, `must be one of "${RIGHTS.join('", "')}"`);
  }
  return words.length === 0 ? DEFAULT_RIGHTS : RIGHTS.filter((right) => words.includes(right));
}

/** Throws `not_permitted`, which names the right. */
export function checkRight({ rights }: KeyRights, right: Right): void {
  if (rights.includes(right)) return;
  throw new Failure("not_permitted", `this API key does not have the right \`${right}\``);
}

/**
 * `tenantId`: null where none is named, as the default tenant has no name; `field` names it.
 * Throws `not_permitted`.
 */
export function checkTenant(
  { tenants }: KeyRights,
  tenantId: string | null,
  field: "tenant_id" | "tenant_ids" | "memory_id",
): void {
  if (tenants.length === 0 || tenants.some((pattern) => matches(pattern, tenantId))) return;
  const patterns = tenants.map((pattern) => `\`${pattern}\``).join(", ");
  const sentence = `\`${field}\` must be within the tenants of this API key: ${patterns}`;
  throw new Failure("not_permitted", sentence, { field });
}

function matches(pattern: string, tenantId: string | null): boolean {
  if (tenantId === null) return false;
  return pattern.endsWith("*") ? tenantId.startsWith(pattern.slice(0, -1)) : tenantId === pattern;
}
