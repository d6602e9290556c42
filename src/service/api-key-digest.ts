import { hash } from "node:crypto";

/**
 * What is stored of an API key: its SHA-256, 32 bytes. No salt and no slow hash:
 * a key has 256 random bits, so there is nothing to guess from its digest.
 */
export function apiKeyDigest(key: string): Uint8Array {
  return hash("sha256", key, "buffer");
}
