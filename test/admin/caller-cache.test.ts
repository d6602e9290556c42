import { describe, expect, test } from "vitest";
import { SECOND } from "../../src/domain/instant.ts";
import {
  CALLER_CACHE_MS,
  createCallerCache,
  MAX_CACHED_CALLERS,
} from "../../src/service/caller-cache.ts";
import type { Caller } from "../../src/service/context.ts";

const LIFE = BigInt(CALLER_CACHE_MS) * 1_000n;
const NOW = 1_000_000n * SECOND;
const CALLER = { companyId: "acme", apiKeyId: "a" } as Caller;

function counted(outcome: () => Promise<Caller> = async () => CALLER) {
  const lookUp = Object.assign(
    () => {
      lookUp.calls++;
      return outcome();
    },
    { calls: 0 },
  );
  return lookUp;
}

describe("what a server remembers of a caller", () => {
  test("leaves time for a revocation to take effect within a second", () => {
    expect(CALLER_CACHE_MS).toBeLessThanOrEqual(500);
  });

  test("is served for its life, not a moment longer", async () => {
    const cache = createCallerCache();
    const lookUp = counted();
    await cache.get("a", NOW, lookUp);
    expect(await cache.get("a", NOW + LIFE - 1n, lookUp)).toBe(CALLER);
    expect(lookUp.calls).toBe(1);
    await cache.get("a", NOW + LIFE, lookUp);
    expect(lookUp.calls).toBe(2);
  });

  test("is not served when the clock was set back", async () => {
    const cache = createCallerCache();
    const lookUp = counted();
    await cache.get("a", NOW, lookUp);
    await cache.get("a", NOW - 1n, lookUp);
    expect(lookUp.calls).toBe(2);
  });

  test("is looked up once for requests that come together, and ages while it is looked up", async () => {
    const cache = createCallerCache();
    const { promise, resolve } = Promise.withResolvers<Caller>();
    const lookUp = counted(() => promise);
    const together = [cache.get("a", NOW, lookUp), cache.get("a", NOW + LIFE - 1n, lookUp)];
    expect(lookUp.calls).toBe(1);
    const late = cache.get("a", NOW + LIFE, lookUp);
    expect(lookUp.calls).toBe(2);
    resolve(CALLER);
    expect(await Promise.all([...together, late])).toEqual([CALLER, CALLER, CALLER]);
  });

  test("is nothing when the look-up fails, so that the next request asks again", async () => {
    const cache = createCallerCache();
    const failing = counted(() => Promise.reject(new Error("no")));
    await expect(cache.get("a", NOW, failing)).rejects.toThrow("no");
    await expect(cache.get("a", NOW, failing)).rejects.toThrow("no");
    expect(failing.calls).toBe(2);
  });

  test("is not pushed out by unknown keys", async () => {
    const cache = createCallerCache();
    const lookUp = counted();
    await cache.get("a", NOW, lookUp);
    for (let i = 0; i < MAX_CACHED_CALLERS + 1; i++) {
      await cache.get(`unknown ${i}`, NOW, () => Promise.reject(new Error("no"))).catch(() => {});
    }
    await cache.get("a", NOW, lookUp);
    expect(lookUp.calls).toBe(1);
  });

  test("is bounded: the oldest goes first", async () => {
    const cache = createCallerCache();
    const [first, second] = [counted(), counted()];
    await cache.get("first", NOW, first);
    await cache.get("second", NOW, second);
    for (let i = 2; i <= MAX_CACHED_CALLERS; i++) await cache.get(`key ${i}`, NOW, counted());
    await cache.get("second", NOW, second);
    expect(second.calls).toBe(1);
    await cache.get("first", NOW, first);
    expect(first.calls).toBe(2);
  });
});
