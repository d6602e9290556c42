import { crc32 } from "node:zlib";

/** Every API key starts with this (5.2). */
export const API_KEY_SCHEME = "svc_";
/** 256 bits: beyond guessing, so that a plain SHA-256 digest of a key is safe to store. */
export const API_KEY_RANDOM_BYTES = 32;

const BASE62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
/** Fewest digits that hold 256 bits. */
const RANDOM_DIGITS = 43;
/** Fewest digits that hold 32 bits. */
const CHECKSUM_DIGITS = 6;
/** Characters of 43 that are shown: they tell keys apart, and 208 bits stay unknown. */
const PREFIX_DIGITS = 8;

export const API_KEY_CHARACTERS = API_KEY_SCHEME.length + RANDOM_DIGITS + CHECKSUM_DIGITS;

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

/**
 * Whether a text can be a key at all. A CRC-32 finds every error within 32
 * neighbouring bits: a mistyped character or two swapped ones are refused without
 * a look-up.
 */
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
