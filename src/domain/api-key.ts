import { crc32 } from "node:zlib";
import { Failure, invalidField } from "./failure.ts";

/** Every API key starts with this (5.2). */
const API_KEY_SCHEME = "svc_";
/** 256 bits: beyond guessing, so that a plain SHA-256 digest of a key is safe to store. */
export const API_KEY_RANDOM_BYTES = 32;

const BASE62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
/** Fewest digits that hold 256 bits. */
const RANDOM_DIGITS = 43;
/** Fewest digits that hold 32 bits. */
const CHECKSUM_DIGITS = 6;
/** Characters of 43 that are shown: they tell keys apart, and 208 bits stay unknown. */
const PREFIX_DIGITS = 8;

const WELL_FORMED = new RegExp(
  `^${API_KEY_SCHEME}[0-9A-Za-z]{${RANDOM_DIGITS + CHECKSUM_DIGITS}}$`,
);

/** Writes random bytes (API_KEY_RANDOM_BYTES of them) as a key: scheme, digits, checksum. */
export function formatApiKey(random: Uint8Array): string {
  if (random.length !== API_KEY_RANDOM_BYTES) {
    throw new RangeError(`an API key takes ${API_KEY_RANDOM_BYTES} random bytes`);
  }
  const value = random.reduce((sum, byte) => (sum << 8n) | BigInt(byte), 0n);
  const body = API_KEY_SCHEME + base62(value, RANDOM_DIGITS);
  return body + checksum(body);
}

/** Whether a text can be a key. The checksum refuses a typing error without a look-up. */
export function isWellFormedApiKey(text: string): boolean {
  if (!WELL_FORMED.test(text)) return false;
  const body = text.slice(0, -CHECKSUM_DIGITS);
  return text === body + checksum(body);
}

/** The prefix by which listings show a key. */
export function apiKeyPrefix(key: string): string {
  return key.slice(0, API_KEY_SCHEME.length + PREFIX_DIGITS);
}

function checksum(body: string): string {
  return base62(BigInt(crc32(body)), CHECKSUM_DIGITS);
}

function base62(value: bigint, digits: number): string {
  let text = "";
  for (let rest = value; text.length < digits; rest /= 62n) {
    text = BASE62.charAt(Number(rest % 62n)) + text;
  }
  return text;
}

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

/** `tenantId`: null for the default tenant. Throws `not_permitted`, which names `field`. */
export function checkTenant(
  { tenants }: KeyRights,
  tenantId: string | null,
  field: "tenant_id" | "tenant_ids" | "memory_id" | "superseded_by",
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
