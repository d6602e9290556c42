/** Requests that arrive in one turn of the event loop are not all begun in it. */
import { EventEmitter } from "node:events";
import { setImmediate as turn } from "node:timers/promises";
import type { NodeRequest, NodeResponse } from "@agent-memory/transcoding/node-http";
import { describe, expect, test } from "vitest";
import { beginInTurns, REQUEST_TURN_LIMITS } from "../../src/edge/request-turns.ts";

const { concurrent, concurrentPerOwner: A_TURN, maxWaitingPerOwner } = REQUEST_TURN_LIMITS;
const ADDRESSES_A_TURN = concurrent / A_TURN;

/** What `beginInTurns` looks at of a request and its response. */
function exchange(address: string) {
  const headers: Record<string, unknown> = {};
  const response = Object.assign(new EventEmitter(), {
    destroyed: false,
    statusCode: 0,
    body: "",
    setHeader(name: string, value: unknown) {
      headers[name] = value;
    },
    end(text: string) {
      this.body = text;
    },
  });
  return { request: { address }, response, headers };
}

type Exchange = ReturnType<typeof exchange>;

function serve() {
  const begun: string[] = [];
  const handler = beginInTurns(
    (request) => void begun.push((request as unknown as Exchange["request"]).address),
    (request) => (request as unknown as Exchange["request"]).address,
  );
  return {
    begun,
    arrive({ request, response }: Exchange) {
      return handler(request as unknown as NodeRequest, response as unknown as NodeResponse);
    },
  };
}

describe("requests that arrive at once", () => {
  test("are begun a few in a turn of the loop, and that of another address at once", async () => {
    const { begun, arrive } = serve();
    const all = Array.from({ length: 4 * A_TURN }, () => arrive(exchange("flood")));
    all.push(arrive(exchange("other")));
    await Promise.resolve();
    expect(begun).toEqual([...Array(A_TURN).fill("flood"), "other"]);
    await turn();
    expect(begun.length).toBeLessThanOrEqual(2 * A_TURN + 1);
    await Promise.all(all);
    expect(begun).toHaveLength(4 * A_TURN + 1);
  });

  test("of many addresses are begun in turn", async () => {
    const { begun, arrive } = serve();
    const floods = Array.from({ length: ADDRESSES_A_TURN }, (_, index) => `flood ${index}`);
    const all = floods.flatMap((address) =>
      Array.from({ length: 4 * A_TURN }, () => arrive(exchange(address))),
    );
    all.push(arrive(exchange("other")));
    await Promise.resolve();
    expect(begun).toHaveLength(concurrent);
    expect(begun).not.toContain("other");
    await turn();
    expect(begun.length).toBeLessThanOrEqual(2 * concurrent);
    expect(begun).toContain("other");
    await Promise.all(all);
  });

  test("take no turn once their clients have gone", async () => {
    const { begun, arrive } = serve();
    const all = Array.from({ length: 4 * A_TURN }, () => exchange("reset"));
    const ended = Promise.all([...all, exchange("reset")].map(arrive));
    for (const { response } of all) response.destroyed = true;
    await turn();
    await turn();
    expect(begun).toHaveLength(1);
    await ended;
  });

  test("are refused where too many of one address wait, and those of another are not", async () => {
    const { begun, arrive } = serve();
    const all = Array.from({ length: A_TURN + maxWaitingPerOwner }, () => arrive(exchange("a")));
    const refused = exchange("a");
    await arrive(refused);
    expect(refused.response.statusCode).toBe(503);
    expect(refused.headers).toMatchObject({ "retry-after": "1" });
    expect(JSON.parse(refused.response.body)).toMatchObject({ reason: "overloaded" });
    await Promise.all([...all, arrive(exchange("b"))]);
    expect(begun).toContain("b");
  });
});
