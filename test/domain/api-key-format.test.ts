import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  API_KEY_RANDOM_BYTES,
  formatApiKey,
  isWellFormedApiKey,
} from "../../src/domain/api-key.ts";

const BASE62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

const randomBytes = fc.uint8Array({
  minLength: API_KEY_RANDOM_BYTES,
  maxLength: API_KEY_RANDOM_BYTES,
});
const keys = randomBytes.map(formatApiKey);

describe("an API key", () => {
  test("is well formed and keeps all 256 bits", () => {
    fc.assert(
      fc.property(randomBytes, (bytes) => {
        const key = formatApiKey(bytes);
        expect(key).toMatch(/^svc_[0-9A-Za-z]{49}$/);
        expect(isWellFormedApiKey(key)).toBe(true);
        const digits = [...key.slice(4, 47)].map((digit) => BigInt(BASE62.indexOf(digit)));
        const value = digits.reduce((sum, digit) => sum * 62n + digit, 0n);
        expect(value).toBe(BigInt(`0x${Buffer.from(bytes).toString("hex")}`));
      }),
    );
  });

  test("with any one character changed is refused", () => {
    fc.assert(
      fc.property(keys, (key) => {
        for (let position = 0; position < key.length; position++) {
          for (const character of `${BASE62}_- é`) {
            if (character === key[position]) continue;
            const mistyped = key.slice(0, position) + character + key.slice(position + 1);
            if (isWellFormedApiKey(mistyped)) throw new Error(`accepted: ${mistyped}`);
          }
        }
      }),
      { numRuns: 50 },
    );
  });

  test("with two neighbours swapped is refused", () => {
    fc.assert(
      fc.property(keys, fc.nat("svc_".length + 49 - 2), (key, position) => {
        const [a, b] = [key.charAt(position), key.charAt(position + 1)];
        fc.pre(a !== b);
        const swapped = key.slice(0, position) + b + a + key.slice(position + 2);
        expect(isWellFormedApiKey(swapped)).toBe(false);
      }),
    );
  });

  test("with something before or behind it is refused", () => {
    const key = formatApiKey(new Uint8Array(API_KEY_RANDOM_BYTES).fill(7));
    for (const text of [` ${key}`, `${key} `, `${key}\n`, `${key}0`, key.slice(0, -1), ""]) {
      expect(isWellFormedApiKey(text)).toBe(false);
    }
  });
});
