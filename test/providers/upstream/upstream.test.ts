import { afterEach, describe, expect, test, vi } from "vitest";
import { Failure } from "../../../src/domain/failure.ts";
import {
  MAX_FAILURES_IN_A_ROW,
  MAX_TRIES,
  type Upstream,
} from "../../../src/providers/upstream/upstream.ts";
import {
  UpstreamError,
  type UpstreamProblem,
} from "../../../src/providers/upstream/upstream-error.ts";
import { CALL } from "../../support/model-call.ts";
import { upstreamOf } from "../upstream-of.ts";

const LIMITED: UpstreamProblem = { kind: "limited", waitMs: 0 };
const FAILED: UpstreamProblem = { kind: "failed", status: 500, waitMs: null };
const REFUSED: UpstreamProblem = { kind: "refused", status: 401 };
const UNUSABLE: UpstreamProblem = { kind: "unusable", what: "nothing" };

/** A call that goes on until the test says so. */
function heldCall(to: Upstream, call = CALL) {
  const started = Promise.withResolvers<void>();
  const ended = Promise.withResolvers<string>();
  const answer = to.call(() => {
    started.resolve();
    return ended.promise;
  }, call);
  answer.catch(() => {});
  return { answer, started: started.promise, end: () => ended.resolve("done") };
}

async function failureOf(answer: Promise<unknown>): Promise<Failure> {
  const error = await answer.then(
    () => expect.unreachable("it should have failed"),
    (error: unknown) => error,
  );
  expect(error).toBeInstanceOf(Failure);
  return error as Failure;
}

function failing(problem: UpstreamProblem): () => Promise<never> {
  return vi.fn(async () => {
    throw new UpstreamError(problem);
  });
}

afterEach(() => {
  vi.useRealTimers();
});

describe("calls in flight", () => {
  test("as many as allowed run, as many again wait in order, and one more is refused", async () => {
    const to = upstreamOf({ maxInFlight: 2 });
    const other = { ...CALL, owner: "other" };
    const running = [heldCall(to), heldCall(to, other)];
    await Promise.all(running.map(({ started }) => started));
    const order: number[] = [];
    const waiting = [CALL, other].map((call, number) =>
      to.call(async () => order.push(number), call),
    );

    const refused = await failureOf(to.call(async () => "no", { ...CALL, owner: "third" }));
    expect(refused.reason).toBe("overloaded");
    expect(refused.retryAfterSeconds).toBeGreaterThan(0);
    expect(order).toEqual([]);

    for (const { end } of running) end();
    await Promise.all(waiting);
    expect(order).toEqual([0, 1]);
    await expect(to.call(async () => "yes", CALL)).resolves.toMatchObject({ value: "yes" });
  });

  test("one account leaves a quarter of the room to others", async () => {
    const to = upstreamOf({ maxInFlight: 4 });
    const greedy = { ...CALL, owner: "greedy" };
    const running = Array.from({ length: 3 }, () => heldCall(to, greedy));
    const waiting = Array.from({ length: 3 }, () => heldCall(to, greedy));
    expect((await failureOf(to.call(async () => "no", greedy))).reason).toBe("overloaded");
    await expect(to.call(async () => "yes", CALL)).resolves.toMatchObject({ value: "yes" });

    for (const { end } of [...running, ...waiting]) end();
    await Promise.all(waiting.map(({ answer }) => answer));
  });

  test("who waits for a turn longer than a call may take is told to come back", async () => {
    const to = upstreamOf({ maxInFlight: 1, timeoutMs: 50 });
    const running = heldCall(to, { ...CALL, signal: AbortSignal.timeout(10_000) });
    await running.started;
    const failure = await failureOf(to.call(async () => "never", CALL));
    expect(failure.reason).toBe("overloaded");
    running.end();
  });
});

describe("a client that goes away", () => {
  test("ends its wait between two tries at once, with its own reason", async () => {
    const to = upstreamOf();
    const leaving = new AbortController();
    const tried = Promise.withResolvers<void>();
    const answer = to.call(
      async () => {
        tried.resolve();
        throw new UpstreamError({ kind: "limited", waitMs: 15_000 });
      },
      { ...CALL, signal: leaving.signal },
    );
    await tried.promise;
    leaving.abort(new Error("gone"));
    await expect(answer).rejects.toThrow("gone");
  });

  test("does not count against the provider", async () => {
    const to = upstreamOf();
    for (let i = 0; i <= MAX_FAILURES_IN_A_ROW; i++) {
      const leaving = new AbortController();
      const answer = to.call(
        async () => {
          leaving.abort(new Error("gone"));
          throw new UpstreamError({ kind: "unreachable", code: null });
        },
        { ...CALL, signal: leaving.signal },
      );
      await expect(answer).rejects.toThrow("gone");
    }
    await expect(to.call(async () => "yes", CALL)).resolves.toMatchObject({ value: "yes" });
  });
});

describe("the circuit breaker", () => {
  async function breakCircuit(to: Upstream): Promise<void> {
    for (let i = 0; i < MAX_FAILURES_IN_A_ROW / MAX_TRIES; i++) {
      await failureOf(to.call(failing(FAILED), CALL));
    }
  }

  test("gives a provider that failed in a row a rest, and tries again after it", async () => {
    vi.useFakeTimers({ toFake: ["Date"] });
    const to = upstreamOf();
    await breakCircuit(to);
    const request = vi.fn(async () => "yes");
    const failure = await failureOf(to.call(request, CALL));
    expect(request).not.toHaveBeenCalled();
    expect(failure.reason).toBe("model_unavailable");
    expect(failure.message).toContain("a rest");

    vi.setSystemTime(Date.now() + (failure.retryAfterSeconds ?? 0) * 1_000);
    await expect(to.call(request, CALL)).resolves.toMatchObject({ value: "yes" });
    await expect(to.call(request, CALL)).resolves.toMatchObject({ value: "yes" });
  });

  test("while one call finds out whether it is back, others do not wait for it", async () => {
    vi.useFakeTimers({ toFake: ["Date"] });
    const to = upstreamOf();
    await breakCircuit(to);
    vi.setSystemTime(Date.now() + 60_000);
    const probe = heldCall(to);
    await probe.started;
    expect((await failureOf(to.call(async () => "no", CALL))).message).toContain("a rest");
    probe.end();
    await probe.answer;
    await expect(to.call(async () => "yes", CALL)).resolves.toMatchObject({ value: "yes" });
  });

  test.each([LIMITED, REFUSED, UNUSABLE])("is not told of what is $kind", async (problem) => {
    const to = upstreamOf();
    const request = vi.fn(failing(problem));
    while (request.mock.calls.length <= MAX_FAILURES_IN_A_ROW) {
      await failureOf(to.call(request, CALL));
    }
    await expect(to.call(async () => "yes", CALL)).resolves.toMatchObject({ value: "yes" });
  });

  test("is told of deadlines that pass", async () => {
    const to = upstreamOf({ timeoutMs: 20, maxInFlight: 2 * MAX_FAILURES_IN_A_ROW });
    const stalled = Array.from({ length: MAX_FAILURES_IN_A_ROW }, () =>
      to.call(() => new Promise((_, reject) => setTimeout(reject, 40, new Error("late"))), CALL),
    );
    for (const answer of stalled) {
      expect((await failureOf(answer)).message).toContain("did not answer in time");
    }
    expect((await failureOf(to.call(async () => "no", CALL))).message).toContain("a rest");
  });

  test("is not there where callers bring keys and addresses of their own", async () => {
    const to = upstreamOf({ breaksCircuit: false });
    await breakCircuit(to);
    await expect(to.call(async () => "yes", CALL)).resolves.toMatchObject({ value: "yes" });
  });
});
