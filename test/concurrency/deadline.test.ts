import { expect, test } from "vitest";
import { startDeadline } from "../../src/concurrency/deadline.ts";

test("work that takes too long ends with the reason that is made then", async () => {
  using deadline = startDeadline(1, () => "too long");
  await new Promise((resolve) => deadline.signal.addEventListener("abort", resolve));
  expect(deadline.signal.reason).toBe("too long");
});

test("without a reason it ends as every aborted work does", async () => {
  using deadline = startDeadline(1);
  await new Promise((resolve) => deadline.signal.addEventListener("abort", resolve));
  expect(deadline.signal.reason.name).toBe("AbortError");
});

test("nothing is left of the deadline of work that is over", () => {
  const before = process.getActiveResourcesInfo().length;
  {
    using deadline = startDeadline(60_000);
    expect(process.getActiveResourcesInfo().length).toBeGreaterThan(before);
    expect(deadline.signal.aborted).toBe(false);
  }
  expect(process.getActiveResourcesInfo().length).toBe(before);
});
