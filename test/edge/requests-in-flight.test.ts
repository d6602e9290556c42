import { endOf, type NodeRequest, type NodeResponse } from "@agent-memory/transcoding/node-http";
import { expect, test } from "vitest";
import { RequestsInFlight } from "../../src/edge/requests-in-flight.ts";

const COMPANY = "company";
const MAX = 3;
const OVER = Promise.resolve();

test("requests whose clients have left before they are counted take no place", async () => {
  const inFlight = new RequestsInFlight(MAX, "too many requests at once");
  const gone = { destroyed: true } as NodeResponse;
  for (let count = 0; count < 2 * MAX; count++) {
    inFlight.admit(COMPANY, endOf({} as NodeRequest, gone));
    await OVER;
  }
});

test("a place is free again when a response has ended, of each account by itself", async () => {
  const inFlight = new RequestsInFlight(MAX, "too many requests at once");
  const first = Promise.withResolvers<void>();
  inFlight.admit(COMPANY, first.promise);
  for (let count = 1; count < MAX; count++) {
    inFlight.admit(COMPANY, new Promise(() => {}));
  }
  expect(() => inFlight.admit(COMPANY, OVER)).toThrow("requests at once");
  inFlight.admit("another", OVER);
  first.resolve();
  await OVER;
  inFlight.admit(COMPANY, OVER);
});
