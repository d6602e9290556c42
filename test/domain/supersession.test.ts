import { describe, expect, test } from "vitest";
import { Failure } from "../../src/domain/failure.ts";
import type { MemoryId } from "../../src/domain/ids.ts";
import type { Memory } from "../../src/domain/memory.ts";
import { planSupersession, type SupersessionRequest } from "../../src/domain/supersession.ts";
import { memoryFixture, memoryId } from "./memory-fixture.ts";

const NOW = 10_000n;
const [A_ID, B_ID, C_ID] = [memoryId(1), memoryId(2), memoryId(3)];
const A = memoryFixture({ id: A_ID, validFrom: 1_000n });
const B = memoryFixture({ id: B_ID, validFrom: 5_000n });

function plan(
  memory: Memory,
  replacement: Memory | null,
  options: Partial<SupersessionRequest> & {
    chainHeadId?: MemoryId;
    earlierRequest?: SupersessionRequest;
  } = {},
) {
  return planSupersession(
    {
      memory,
      earlierRequest: options.earlierRequest ?? null,
      replacement: replacement && {
        memory: replacement,
        chainHeadId: options.chainHeadId ?? replacement.id,
      },
    },
    { supersededBy: replacement?.id ?? null, validTo: options.validTo ?? null },
    NOW,
  );
}

function reasonOf(work: () => unknown): string {
  try {
    work();
  } catch (error) {
    if (error instanceof Failure) return error.reason;
    throw error;
  }
  return "no failure";
}

describe("D18: the end that a supersession gives", () => {
  test.each([
    ["the replacement's start", A, B, 5_000n],
    [
      "before the memory's own start, when the replacement started earlier",
      memoryFixture({ id: A_ID, validFrom: 7_000n }),
      B,
      5_000n,
    ],
    [
      "not after an end that the memory already had",
      memoryFixture({ id: A_ID, validFrom: 1_000n, validTo: 3_000n }),
      B,
      3_000n,
    ],
    [
      "the replacement's start, when the memory's own end is later",
      memoryFixture({ id: A_ID, validFrom: 1_000n, validTo: 20_000n }),
      B,
      5_000n,
    ],
  ])("%s", (_, memory, replacement, validTo) => {
    expect(plan(memory, replacement)).toEqual({
      kind: "change",
      change: { validTo, supersededBy: B_ID, supersededAt: NOW },
    });
  });

  test.each([
    ["backdated", 2_000n],
    ["at the memory's start", 1_000n],
    ["before the memory's start", 999n],
    ["ahead", 99_000n],
  ])("the given one: %s", (_, validTo) => {
    const change = { validTo, supersededAt: NOW };
    expect(plan(A, null, { validTo })).toMatchObject({ change: { ...change, supersededBy: null } });
    expect(plan(A, B, { validTo })).toMatchObject({ change: { ...change, supersededBy: B_ID } });
  });
});

describe("D18: what contradicts the stored state", () => {
  test.each([
    ["the memory itself", "supersedes_itself", A, {}],
    [
      "a memory of another tenant",
      "different_tenant",
      memoryFixture({ id: B_ID, tenantId: "t" }),
      {},
    ],
    [
      "an earlier version of the memory",
      "supersession_cycle",
      memoryFixture({ id: B_ID, supersededAt: 1n, supersededBy: A_ID, validTo: 1n }),
      { chainHeadId: A_ID },
    ],
    [
      "a memory that was ended without a replacement",
      "replacement_ended",
      memoryFixture({ id: B_ID, supersededAt: 1n, validTo: 6_000n }),
      {},
    ],
    [
      "a memory that has expired",
      "replacement_ended",
      memoryFixture({ id: B_ID, validTo: NOW }),
      {},
    ],
  ])("as replacement %s: %s", (_, reason, replacement, options) => {
    expect(reasonOf(() => plan(A, replacement, options))).toBe(reason);
  });

  test("a replacement with an end that lies ahead is none", () => {
    const ending = memoryFixture({ id: B_ID, validTo: NOW + 1n });
    expect(plan(A, ending).kind).toBe("change");
  });

  test("a replacement that has a replacement of its own is none", () => {
    const replaced = memoryFixture({
      id: B_ID,
      supersededAt: 1n,
      supersededBy: C_ID,
      validTo: 6_000n,
    });
    expect(plan(A, replaced, { chainHeadId: C_ID }).kind).toBe("change");
  });
});

describe("D18: a memory that is already superseded", () => {
  const ended = memoryFixture({ id: A_ID, supersededAt: 1n, supersededBy: B_ID, validTo: 5_000n });
  const earlierRequest = { supersededBy: B_ID, validTo: null };

  test("the same arguments answer the stored result", () => {
    expect(plan(ended, B, { earlierRequest })).toEqual({
      kind: "repeat",
      stored: { validTo: 5_000n, supersededBy: B_ID, isRepeat: true },
    });
  });

  test.each([
    ["another replacement", memoryFixture({ id: C_ID }), {}],
    ["an end besides, even the stored one", B, { validTo: 5_000n }],
    ["an end instead", null, { validTo: 5_000n }],
  ])("%s is refused", (_, replacement, options) => {
    expect(reasonOf(() => plan(ended, replacement, { ...options, earlierRequest }))).toBe(
      "already_superseded",
    );
  });
});
