import { expect, test } from "vitest";
import { SharedCall } from "../../src/concurrency/shared-call.ts";

/** A call whose work goes on until the test ends it, or until its signal is aborted. */
function heldCall() {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  let given: AbortSignal | undefined;
  const call = new SharedCall((signal) => {
    given = signal;
    signal.addEventListener("abort", () => reject(signal.reason));
    return promise;
  });
  return { call, resolve, reject, isAborted: () => given?.aborted };
}

const LEFT = new Error("left");

test("everybody who waits is given the answer, and it is not ended by that", async () => {
  const { call, resolve, isAborted } = heldCall();
  const { signal } = new AbortController();
  const waiting = [call.answerFor(signal), call.answerFor(signal)];
  resolve("answer");
  expect(await Promise.all(waiting)).toEqual(["answer", "answer"]);
  expect(await call.answerFor(signal)).toBe("answer");
  expect(isAborted()).toBe(false);
});

test("who leaves is gone at once, and the others are given the answer", async () => {
  const { call, resolve, isAborted } = heldCall();
  const [first, second] = [new AbortController(), new AbortController()];
  const left = call.answerFor(first.signal);
  const stays = call.answerFor(second.signal);
  first.abort(LEFT);
  await expect(left).rejects.toBe(LEFT);
  expect(isAborted()).toBe(false);
  expect(call.isOpen).toBe(true);
  resolve("answer");
  expect(await stays).toBe("answer");
});

test("the last one to leave ends it, and nobody joins it then", async () => {
  const { call, isAborted } = heldCall();
  const callers = [new AbortController(), new AbortController()];
  const waiting = callers.map(({ signal }) => call.answerFor(signal));
  for (const caller of callers) caller.abort(LEFT);
  for (const each of waiting) await expect(each).rejects.toBe(LEFT);
  expect(isAborted()).toBe(true);
  expect(call.isOpen).toBe(false);
  await expect(call.ended).rejects.toBe(LEFT);
});

test("an error reaches everybody who waits", async () => {
  const { call, reject } = heldCall();
  const { signal } = new AbortController();
  const waiting = [call.answerFor(signal), call.answerFor(signal)];
  reject(new Error("no answer"));
  for (const each of waiting) await expect(each).rejects.toThrow("no answer");
});

test("who has left before is not waited for", async () => {
  const { call, isAborted } = heldCall();
  await expect(call.answerFor(AbortSignal.abort(LEFT))).rejects.toBe(LEFT);
  expect(isAborted()).toBe(false);
});
