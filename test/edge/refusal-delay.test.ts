import { afterEach, beforeEach, expect, test, vi } from "vitest";
import {
  MAX_DELAYED_REFUSALS,
  PROMPT_REFUSALS_PER_SECOND,
  REFUSAL_DELAY_MS,
  RefusalDelay,
} from "../../src/edge/refusal-delay.ts";

/** Who has been told by now, in this order. */
let told: string[] = [];
let nowMs = 0;
let delay: RefusalDelay;
const { signal } = new AbortController();

beforeEach(() => {
  vi.useFakeTimers();
  told = [];
  nowMs = 0;
  delay = new RefusalDelay(() => nowMs);
});
afterEach(() => {
  vi.useRealTimers();
});

function refuse(owner: string, count = 1, until = signal): void {
  for (let i = 0; i < count; i++) void delay.pass(owner, until).then(() => told.push(owner));
}

async function advance(ms: number): Promise<void> {
  nowMs += ms;
  await vi.advanceTimersByTimeAsync(ms);
}

test("who is refused now and then is told at once, and who goes on asking a while later", async () => {
  refuse("eager", PROMPT_REFUSALS_PER_SECOND + 5);
  refuse("patient");
  await advance(0);
  expect(told).toEqual([...new Array(PROMPT_REFUSALS_PER_SECOND).fill("eager"), "patient"]);
  await advance(REFUSAL_DELAY_MS - 1);
  expect(told).toHaveLength(PROMPT_REFUSALS_PER_SECOND + 1);
  await advance(1 + 5);
  expect(told).toHaveLength(PROMPT_REFUSALS_PER_SECOND + 6);
  refuse("eager");
  await advance(0);
  expect(told).toHaveLength(PROMPT_REFUSALS_PER_SECOND + 7);
});

test("no more wait than are named, and none whose client has left", async () => {
  const left = new AbortController();
  refuse("eager", PROMPT_REFUSALS_PER_SECOND);
  refuse("eager", 1, left.signal);
  refuse("eager", MAX_DELAYED_REFUSALS - 1);
  await advance(0);
  expect(told).toHaveLength(PROMPT_REFUSALS_PER_SECOND);
  refuse("eager");
  await advance(0);
  expect(told).toHaveLength(PROMPT_REFUSALS_PER_SECOND + 1);
  left.abort();
  await advance(0);
  expect(told).toHaveLength(PROMPT_REFUSALS_PER_SECOND + 2);
  refuse("eager");
  await advance(0);
  expect(told).toHaveLength(PROMPT_REFUSALS_PER_SECOND + 2);
});
