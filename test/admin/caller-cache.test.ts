import { describe, expect, test } from "vitest";
import { HOUR, SECOND } from "../../src/domain/instant.ts";
import {
  CALLER_CACHE_MS,
  CALLER_REFRESH_MS,
  CallerCache,
  KEY_LOOK_UP_LIMITS,
  MAX_CACHED_CALLERS,
  MAX_REFUSALS_AT_ONCE,
  REFUSED_KEY_SECONDS,
} from "../../src/service/caller-cache.ts";
import type { Caller, KnownCaller } from "../../src/service/context.ts";
import { ADDRESS } from "./admin-fixture.ts";

const REFRESH = BigInt(CALLER_REFRESH_MS) * 1_000n;
const LIFE = BigInt(CALLER_CACHE_MS) * 1_000n;
const NOW = 1_000_000n * SECOND;
const CALLER = { companyId: "acme", apiKeyId: "a" } as Caller;

/** In a time that stands still, so that nothing refills. */
const newCache = (): CallerCache<KnownCaller> => new CallerCache(() => 0);

/** Lets go on whatever waits for nothing. */
const turn = () => new Promise(setImmediate);

function counted(outcome: () => Promise<Caller | null> = async () => CALLER) {
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
  test("D36: leaves time for a revocation to take effect within a second", () => {
    expect(CALLER_CACHE_MS).toBeLessThanOrEqual(900);
  });

  test("is served for its life while it is looked up again, and not a moment longer", async () => {
    const cache = newCache();
    await cache.get("a", ADDRESS, NOW, counted());
    const { promise, resolve } = Promise.withResolvers<Caller>();
    const again = counted(() => promise);
    for (const age of [REFRESH, LIFE - 1n]) {
      expect(await cache.get("a", ADDRESS, NOW + age, again)).toBe(CALLER);
    }
    expect(again.calls).toBe(1);
    const late = cache.get("a", ADDRESS, NOW + LIFE, again);
    const changed = { ...CALLER };
    resolve(changed);
    expect(await late).toBe(changed);
    expect(await cache.get("a", ADDRESS, NOW + LIFE, again)).toBe(changed);
    expect(again.calls).toBe(1);
  });

  test("is served for its life where it cannot be looked up again", async () => {
    const cache = newCache();
    await cache.get("a", ADDRESS, NOW, counted());
    const failing = () => Promise.reject(new Error("no"));
    expect(await cache.get("a", ADDRESS, NOW + REFRESH, failing)).toBe(CALLER);
    await expect(cache.get("a", ADDRESS, NOW + LIFE, failing)).rejects.toThrow("no");
  });

  test("D36: whose a key was is forgotten when it is refused", async () => {
    const cache = newCache();
    await cache.get("a", ADDRESS, NOW, counted());
    expect(cache.knownAccount("a")).toBe("acme");
    await cache.get(
      "a",
      ADDRESS,
      NOW + LIFE,
      counted(async () => null),
    );
    expect(cache.knownAccount("a")).toBeNull();
  });

  test("is not served when the clock was set back", async () => {
    const cache = newCache();
    const lookUp = counted();
    await cache.get("a", ADDRESS, NOW, lookUp);
    await cache.get("a", ADDRESS, NOW - 1n, lookUp);
    expect(lookUp.calls).toBe(2);
  });

  test("is looked up once for requests that come together, and ages while it is looked up", async () => {
    const cache = newCache();
    const { promise, resolve } = Promise.withResolvers<Caller>();
    const lookUp = counted(() => promise);
    const together = [
      cache.get("a", ADDRESS, NOW, lookUp),
      cache.get("a", ADDRESS, NOW + LIFE - 1n, lookUp),
    ];
    await turn();
    expect(lookUp.calls).toBe(1);
    const late = cache.get("a", ADDRESS, NOW + LIFE, lookUp);
    await turn();
    expect(lookUp.calls).toBe(2);
    resolve(CALLER);
    expect(await Promise.all([...together, late])).toEqual([CALLER, CALLER, CALLER]);
  });

  test("is not pushed out by unknown keys", async () => {
    const cache = newCache();
    const lookUp = counted();
    await cache.get("a", ADDRESS, NOW, lookUp);
    for (let i = 0; i < MAX_CACHED_CALLERS + 1; i++) {
      await cache
        .get(`unknown ${i}`, ADDRESS, NOW, () => Promise.reject(new Error("no")))
        .catch(() => {});
    }
    await cache.get("a", ADDRESS, NOW, lookUp);
    expect(lookUp.calls).toBe(1);
  });

  test("is bounded: the oldest goes first", async () => {
    const cache = newCache();
    const [first, second] = [counted(), counted()];
    await cache.get("first", ADDRESS, NOW, first);
    await cache.get("second", ADDRESS, NOW, second);
    for (let i = 2; i <= MAX_CACHED_CALLERS; i++)
      await cache.get(`key ${i}`, ADDRESS, NOW, counted());
    await cache.get("second", ADDRESS, NOW, second);
    expect(second.calls).toBe(1);
    await cache.get("first", ADDRESS, NOW, first);
    expect(first.calls).toBe(2);
  });

  test("of a key that is none is served for its life, whatever becomes of the others", async () => {
    const cache = newCache();
    const none = counted(async () => null);
    const life = BigInt(REFUSED_KEY_SECONDS) * SECOND;
    expect(await cache.get("a", ADDRESS, NOW, none)).toBeNull();
    expect(await cache.get("a", ADDRESS, NOW + life - 1n, none)).toBeNull();
    expect(none.calls).toBe(1);
    expect(await cache.get("a", ADDRESS, NOW + life, none)).toBeNull();
    expect(none.calls).toBe(2);
  });
});

describe("who is looked up first", () => {
  test("a key that was good, past all those that this process has not met", async () => {
    const cache = newCache();
    await cache.get("good", ADDRESS, NOW, counted());
    const owners: (string | null)[] = [];
    const { promise: answered, resolve: answer } = Promise.withResolvers<null>();
    const present = (name: string, address: string) =>
      cache.get(name, address, NOW, (owner) => {
        owners.push(owner);
        return answered;
      });
    const madeUp = Array.from({ length: 50 }, (_, i) => [
      present(`one's ${i}`, ADDRESS),
      present(`another's ${i}`, `198.51.100.${i}`),
    ]).flat();
    await turn();
    expect(owners).toEqual(new Array(KEY_LOOK_UP_LIMITS.concurrent).fill(null));
    for (const later of [NOW + LIFE, NOW + HOUR]) {
      await cache.get("good", ADDRESS, later, async (owner) => {
        owners.push(owner);
        return CALLER;
      });
    }
    expect(owners.slice(KEY_LOOK_UP_LIMITS.concurrent)).toEqual(["acme", "acme"]);
    answer(null);
    await Promise.all(madeUp);
  });

  test("those that wait count for their address, and those that turn out to be good do not", async () => {
    const cache = newCache();
    const { promise: answered, resolve: answer } = Promise.withResolvers<Caller>();
    const present = (name: string) => cache.get(name, ADDRESS, NOW, () => answered);
    const first = Array.from({ length: MAX_REFUSALS_AT_ONCE }, (_, i) => present(`first ${i}`));
    await expect(present("one more")).rejects.toMatchObject({
      reason: "too_many_refusals",
      retryAfterSeconds: 1,
    });
    answer(CALLER);
    await Promise.all(first);
    const next = Array.from({ length: MAX_REFUSALS_AT_ONCE }, (_, i) => present(`next ${i}`));
    expect(await Promise.all(next)).toEqual(new Array(MAX_REFUSALS_AT_ONCE).fill(CALLER));
  });

  test("of those that this process has not met, an address that presents few before one that presents many", async () => {
    const cache = newCache();
    const done: string[] = [];
    const answers: (() => void)[] = [];
    const present = (name: string, address: string) =>
      cache
        .get(name, address, NOW, () => new Promise((resolve) => answers.push(() => resolve(null))))
        .then(() => done.push(name));
    const all = [
      ...Array.from({ length: 40 }, (_, index) => present(`many ${index}`, ADDRESS)),
      present("few", "198.51.100.1"),
    ];
    while (done.length < all.length) {
      await turn();
      for (const answer of answers.splice(0)) answer();
    }
    expect(done.indexOf("few")).toBeLessThan(KEY_LOOK_UP_LIMITS.concurrent);
  });
});
