import { expect, test } from "vitest";
import { Failure } from "../../src/domain/failure.ts";
import {
  boundKeyLookUps,
  KEY_LOOK_UP_LIMITS,
  MAX_REFUSALS_AT_ONCE,
} from "../../src/service/caller-cache.ts";

test("a key that is not looked up, because too many wait, is no refusal of its address", async () => {
  const strangers = boundKeyLookUps(() => 0);
  const looked = Promise.withResolvers<null>();
  const crowd = KEY_LOOK_UP_LIMITS.maxWaiting + KEY_LOOK_UP_LIMITS.concurrent;
  const waiting = Array.from({ length: crowd }, (_, index) =>
    strangers(`crowd ${Math.floor(index / 50)}`, () => looked.promise),
  );
  for (let times = 0; times <= MAX_REFUSALS_AT_ONCE; times++) {
    const refused = strangers("newcomer", async () => "a caller");
    await expect(refused).rejects.toMatchObject({ reason: "overloaded" });
  }
  looked.resolve(null);
  expect(await Promise.all(waiting)).toEqual(new Array(crowd).fill(null));
  expect(await strangers("newcomer", async () => "a caller")).toBe("a caller");

  // Those that were looked up and unknown count: 50 of each address of the crowd.
  const refuseMore = async () => strangers("crowd 0", async () => null);
  for (let times = 50; times < MAX_REFUSALS_AT_ONCE; times++) await refuseMore();
  await expect(refuseMore()).rejects.toBeInstanceOf(Failure);
});
