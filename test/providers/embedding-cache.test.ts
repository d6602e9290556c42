import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { toCompanyId } from "../../src/domain/ids.ts";
import type { Embedder } from "../../src/providers/embedder.ts";
import {
  CACHED_EMBEDDING_SECONDS,
  MAX_CACHED_EMBEDDING_BYTES,
  MAX_CACHED_EMBEDDINGS_OF_ACCOUNT,
  RecentEmbeddings,
} from "../../src/service/embedding-cache.ts";

const [ADA, BOB] = [toCompanyId("ada"), toCompanyId("bob")];
const LEFT = new Error("left");

/** An embedder that says which texts it was given; held, it answers when the test lets it. */
function embedderOf(dimensions = 2, model = "unit") {
  const asked: (readonly string[])[] = [];
  let held: PromiseWithResolvers<void> | null = null;
  const embedder: Embedder = {
    space: { provider: "test", model, dimensions },
    async embed(texts, _purpose, { signal }) {
      asked.push(texts);
      if (held !== null) {
        const { promise: left, reject } = Promise.withResolvers<never>();
        signal.addEventListener("abort", () => reject(signal.reason));
        await Promise.race([held.promise, left]);
      }
      return texts.map((text) => new Array<number>(dimensions).fill(text.length));
    },
  };
  const hold = () => {
    held = Promise.withResolvers<void>();
    return held;
  };
  return { embedder, asked, hold };
}

describe("embeddings that are kept", () => {
  let cache: RecentEmbeddings;
  beforeEach(() => {
    vi.useFakeTimers();
    cache = new RecentEmbeddings();
  });
  afterEach(() => {
    cache.close();
    vi.useRealTimers();
  });

  function embed(
    owner: string,
    embedder: Embedder,
    texts: readonly string[],
    { purpose = "document" as "document" | "query", signal = new AbortController().signal } = {},
  ) {
    return cache.embed(owner, embedder, texts, purpose, { owner, signal });
  }

  test("a text is embedded once, in a call and from one to the next", async () => {
    const { embedder, asked } = embedderOf();
    expect(await embed(ADA, embedder, ["a", "bb", "a"])).toEqual([
      [1, 1],
      [2, 2],
      [1, 1],
    ]);
    expect(await embed(ADA, embedder, ["ccc", "bb"])).toEqual([
      [3, 3],
      [2, 2],
    ]);
    expect(asked).toEqual([["a", "bb"], ["ccc"]]);
  });

  test("accounts, purposes and embedding spaces share nothing", async () => {
    const { embedder, asked } = embedderOf();
    const other = embedderOf(2, "other");
    const shorter = embedderOf(1);
    await embed(ADA, embedder, ["a"]);
    await embed(BOB, embedder, ["a"]);
    await embed(ADA, embedder, ["a"], { purpose: "query" });
    await embed(ADA, other.embedder, ["a"]);
    await embed(ADA, shorter.embedder, ["a"]);
    expect(asked).toEqual([["a"], ["a"], ["a"]]);
    expect([other.asked, shorter.asked]).toEqual([[["a"]], [["a"]]]);
  });

  test("a text that is being embedded is waited for", async () => {
    const { embedder, asked, hold } = embedderOf();
    const held = hold();
    const both = [embed(ADA, embedder, ["a", "bb"]), embed(ADA, embedder, ["bb", "ccc"])];
    const others = embed(BOB, embedder, ["bb"]);
    held.resolve();
    expect((await Promise.all(both)).flat()).toEqual([
      [1, 1],
      [2, 2],
      [2, 2],
      [3, 3],
    ]);
    await others;
    expect(asked).toEqual([["a", "bb"], ["ccc"], ["bb"]]);
  });

  test("who leaves takes nothing from others, and the call ends with the last one", async () => {
    const { embedder, asked, hold } = embedderOf();
    const held = hold();
    const [first, second] = [new AbortController(), new AbortController()];
    const left = embed(ADA, embedder, ["a"], first);
    const stays = embed(ADA, embedder, ["a"], second);
    first.abort(LEFT);
    await expect(left).rejects.toBe(LEFT);
    held.resolve();
    expect(await stays).toEqual([[1, 1]]);

    hold();
    const alone = new AbortController();
    const last = embed(ADA, embedder, ["bb"], alone);
    alone.abort(LEFT);
    hold().resolve();
    await expect(last).rejects.toBe(LEFT);
    expect(await embed(ADA, embedder, ["bb"])).toEqual([[2, 2]]);
    expect(asked).toEqual([["a"], ["bb"], ["bb"]]);
  });

  test("a failure reaches all who wait for it, and is not kept", async () => {
    const { embedder, asked, hold } = embedderOf();
    const held = hold();
    const both = [embed(ADA, embedder, ["a"]), embed(ADA, embedder, ["a"])];
    held.reject(new Error("no answer"));
    for (const each of both) await expect(each).rejects.toThrow("no answer");
    hold().resolve();
    expect(await embed(ADA, embedder, ["a"])).toEqual([[1, 1]]);
    expect(asked).toHaveLength(2);
  });

  test("of an account that is forgotten nothing is kept, of calls under way neither", async () => {
    const { embedder, asked, hold } = embedderOf();
    await embed(ADA, embedder, ["a"]);
    await embed(BOB, embedder, ["a"]);
    const held = hold();
    const underWay = embed(ADA, embedder, ["bb"]);
    cache.forget(ADA);
    held.resolve();
    expect(await underWay).toEqual([[2, 2]]);
    asked.length = 0;
    await embed(ADA, embedder, ["a", "bb"]);
    await embed(BOB, embedder, ["a"]);
    expect(asked).toEqual([["a", "bb"]]);
  });

  test("nothing is kept longer than its time", async () => {
    const { embedder, asked } = embedderOf();
    await embed(ADA, embedder, ["a"]);
    await vi.advanceTimersByTimeAsync(CACHED_EMBEDDING_SECONDS * 1_000 - 1);
    await embed(BOB, embedder, ["a"]);
    await vi.advanceTimersByTimeAsync(1);
    asked.length = 0;
    await embed(ADA, embedder, ["a"]);
    await embed(BOB, embedder, ["a"]);
    expect(asked).toEqual([["a"]]);
  });

  test("of an account the last ones are kept, and nobody loses any to it", async () => {
    const { embedder, asked } = embedderOf();
    const texts = Array.from({ length: MAX_CACHED_EMBEDDINGS_OF_ACCOUNT + 1 }, (_, i) => `${i}`);
    await embed(BOB, embedder, ["a"]);
    await embed(ADA, embedder, texts);
    asked.length = 0;
    await embed(ADA, embedder, texts.slice(-1));
    await embed(BOB, embedder, ["a"]);
    expect(asked).toEqual([]);
    await embed(ADA, embedder, texts.slice(0, 1));
    expect(asked).toEqual([["0"]]);
  });

  test("of all accounts no more than the bytes that may be", async () => {
    const dimensions = 16_384;
    const { embedder, asked } = embedderOf(dimensions);
    const accounts = Array.from(
      { length: MAX_CACHED_EMBEDDING_BYTES / (4 * dimensions) + 1 },
      (_, index) => `account-${index}`,
    );
    for (const account of accounts) await embed(account, embedder, ["a"]);
    asked.length = 0;
    await embed(accounts.at(-1) ?? "", embedder, ["a"]);
    expect(asked).toEqual([]);
    await embed(accounts[0] ?? "", embedder, ["a"]);
    expect(asked).toEqual([["a"]]);
  });
});
