/** What the process takes on at once, request by request. */
import { EventEmitter, once } from "node:events";
import { text } from "node:stream/consumers";
import { setImmediate as turn } from "node:timers/promises";
import {
  bodyHooksOf,
  mayParse,
  type NodeRequest,
  type NodeResponse,
} from "@agent-memory/transcoding/node-http";
import { describe, expect, test } from "vitest";
import { toCompanyId } from "../../src/domain/ids.ts";
import { LONG_BODY_SECONDS } from "../../src/domain/limits.ts";
import { ADMISSION_LIMITS, type AdmissionLimits } from "../../src/edge/admission.ts";
import type { KnownCaller } from "../../src/service/context.ts";
import { admissionControl } from "./dispatcher-fixture.ts";
import { http2Session, listen } from "./listener-fixture.ts";

const { concurrentPerOwner: A_TURN, maxWaitingPerOwner } = ADMISSION_LIMITS.begun;

/** A request from an address, and its response. */
class Exchange {
  readonly headers: Record<string, unknown> = {};
  body = "";
  readonly response = Object.assign(new EventEmitter(), {
    destroyed: false,
    statusCode: 0,
    writeHead: (statusCode: number, headers: object) => {
      Object.assign(this.response, { statusCode });
      Object.assign(this.headers, headers);
    },
    end: (text: string) => {
      this.body = text;
      this.close();
    },
    destroy: () => this.close(),
  });
  readonly request: object;

  constructor(address: string) {
    this.request = { headers: {}, socket: { remoteAddress: address } };
  }

  close(): void {
    this.response.destroyed = true;
    this.response.emit("close");
  }
}

const address = (number: number) => `192.0.2.${number}`;

function open(limits: Partial<AdmissionLimits> = {}, known: object | null = null) {
  const knownAccountOf = (request: object) => (request === known ? toCompanyId("a") : null);
  const control = admissionControl({ limits, knownAccountOf });
  const begun: string[] = [];
  return {
    begun,
    async begin(exchange: Exchange) {
      const { request, response } = exchange;
      const asked = [request, response] as unknown as [NodeRequest, NodeResponse];
      const admission = await control.begin(...asked);
      if (admission !== null) begun.push(admission.address);
      return admission;
    },
  };
}

async function admitted(begin: ReturnType<typeof open>["begin"], exchange: Exchange) {
  const admission = await begin(exchange);
  if (admission === null) throw new Error("the request was not admitted");
  return admission;
}

const KIB = 1024;

/** Requests of so many accounts, in turn. */
async function ofAccounts(
  begin: ReturnType<typeof open>["begin"],
  accounts: number,
  each: number,
): Promise<Exchange[]> {
  const all = Array.from({ length: accounts * each }, () => new Exchange(address(1)));
  for (const [index, exchange] of all.entries()) {
    const admission = await admitted(begin, exchange);
    await admission.known(caller(`account ${index % accounts}`), false);
  }
  return all;
}

const parse = ({ request }: Exchange, bytes: number) => mayParse(request as NodeRequest, bytes);
const read = async ({ request }: Exchange, bytes: number) =>
  bodyHooksOf(request as NodeRequest).onRead?.(bytes);

/** How many of the promises resolve, as things are. */
async function resolved(promises: readonly Promise<unknown>[]): Promise<number> {
  let count = 0;
  for (const promise of promises) {
    promise.then(
      () => count++,
      () => {},
    );
  }
  for (let turns = 0; turns < 200; turns++) await turn();
  return count;
}

const caller = (name: string) =>
  ({ companyId: toCompanyId(name), account: { suspendedAt: null } }) as unknown as KnownCaller;

describe("requests that arrive at once", () => {
  test("begin a few in a turn of the loop, and that of another address at once", async () => {
    const { begun, begin } = open();
    const all = Array.from({ length: 4 * A_TURN }, () => begin(new Exchange(address(1))));
    all.push(begin(new Exchange(address(2))));
    await Promise.resolve();
    await Promise.resolve();
    expect(begun).toEqual([...Array(A_TURN).fill(address(1)), address(2)]);
    await Promise.all(all);
    expect(begun).toHaveLength(4 * A_TURN + 1);
  });

  test("of an account whose key is known do not wait for strangers at its address", async () => {
    const own = new Exchange(address(1));
    const { begun, begin } = open({}, own.request);
    const flood = Array.from({ length: 4 * A_TURN }, () => begin(new Exchange(address(1))));
    expect(await begin(own)).not.toBeNull();
    expect(begun).toHaveLength(A_TURN + 1);
    await Promise.all(flood);
  });

  test("do not begin once their clients have gone", async () => {
    const { begun, begin } = open();
    const all = Array.from({ length: 4 * A_TURN }, () => new Exchange(address(1)));
    const ended = all.slice(A_TURN).map(begin);
    const waiting = all.map(begin);
    for (const exchange of all) exchange.close();
    await Promise.all([...ended, ...waiting]);
    expect(begun).toEqual([]);
  });

  test("are refused where too many of one address wait, and those of another are not", async () => {
    const { begun, begin } = open({ withoutAccountPerAddress: 10_000 });
    const count = A_TURN + maxWaitingPerOwner;
    const all = Array.from({ length: count }, () => begin(new Exchange(address(1))));
    const refused = new Exchange(address(1));
    await begin(refused);
    expect(refused.response.statusCode).toBe(503);
    expect(refused.headers).toMatchObject({ "retry-after": "1" });
    expect(JSON.parse(refused.body)).toMatchObject({ reason: "overloaded" });
    await Promise.all([...all, begin(new Exchange(address(2)))]);
    expect(begun).toContain(address(2));
  });

  test("are the last of a connection of HTTP/2 where one is refused; those before it go on", async () => {
    const control = admissionControl({ limits: { withoutAccountPerAddress: 1 } });
    const first = Promise.withResolvers<NodeResponse>();
    const { port } = await listen({
      handler: async (request, response) => {
        if ((await control.begin(request, response)) !== null) first.resolve(response);
      },
    });
    const session = http2Session(port);
    const held = session.request();
    const response = await first.promise;
    const [refused] = await once(session.request(), "response");
    expect(refused).toMatchObject({ ":status": 429, "retry-after": "1" });
    if (!session.closed) await once(session, "goaway");
    response.end("finished");
    expect(await text(held)).toBe("finished");
    expect(session.closed).toBe(true);
  });
});

describe("what a request holds is free again when its response has ended", () => {
  test("its count for an address, and that for an account", async () => {
    const { begin } = open({ withoutAccountPerAddress: 1, inFlightPerAccount: 1 });
    const first = new Exchange(address(1));
    const known = await admitted(begin, first);
    const refused = new Exchange(address(1));
    expect(await begin(refused)).toBeNull();
    expect(refused.response.statusCode).toBe(429);
    await known.known(caller("a"), false);
    // The account answers for it from now on.
    const second = await admitted(begin, new Exchange(address(1)));
    const tooMany = { reason: "too_many_in_flight" };
    await expect(second.known(caller("a"), false)).rejects.toMatchObject(tooMany);
    await second.known(caller("b"), false);
    first.close();
    const third = await admitted(begin, new Exchange(address(1)));
    await third.known(caller("a"), false);
  });

  test.each([
    ["that arrives", read, 4],
    ["that is parsed", parse, 2],
  ])("the memory of a body %s", async (_, take, most) => {
    const all = await ofAccounts(open().begin, 1, most + 1);
    const taken = all.map((exchange) => take(exchange, KIB * KIB));
    expect(await resolved(taken)).toBe(most);
    all[0]?.close();
    expect(await resolved(taken)).toBe(most + 1);
  });

  test("the memory for a history of an import, which is reserved once", async () => {
    const { begin } = open();
    const imports = Array.from({ length: 3 }, (_, index) => new Exchange(address(index)));
    const reserved: number[] = [];
    const [first] = imports;
    for (const [index, exchange] of imports.entries()) {
      const admission = await admitted(begin, exchange);
      const both = [admission.reserveHistory(), admission.reserveHistory()];
      void Promise.all(both).then(() => reserved.push(index));
    }
    await turn();
    // 47 MiB each of the 96 MiB that there are.
    expect(reserved).toEqual([0, 1]);
    first?.close();
    await turn();
    expect(reserved).toEqual([0, 1, 2]);
  });
});

describe("the memory of bodies", () => {
  test("is for several accounts: no seven take all that there is", async () => {
    const { begin } = open();
    const [all, other] = [await ofAccounts(begin, 7, 10), new Exchange(address(1))];
    await (await admitted(begin, other)).known(caller("b"), false);
    for (const take of [read, parse]) {
      const taken = all.map((exchange) => take(exchange, KIB * KIB));
      expect(await resolved(taken)).toBeLessThan(all.length);
      expect(await resolved([take(other, KIB * KIB)])).toBe(1);
      for (const promise of taken) promise.catch(() => {});
    }
  });

  test("that go on arriving does not keep others from being parsed", async () => {
    const { begin } = open();
    const [all, whole] = [await ofAccounts(begin, 20, 10), new Exchange(address(1))];
    const arriving = all.map((exchange) => read(exchange, 70_000));
    expect(await resolved(arriving)).toBe(32);
    await (await admitted(begin, whole)).known(caller("b"), false);
    for (const bytes of [70_000, 30_000, 100]) {
      expect(await resolved([parse(whole, bytes)])).toBe(1);
    }
  });

  test("up to 64 KiB waits for none of larger ones", async () => {
    const { begin } = open();
    const [all, small] = [await ofAccounts(begin, 20, 10), new Exchange(address(1))];
    const large = all.map((exchange) => parse(exchange, KIB * KIB));
    expect(await resolved(large)).toBeLessThan(all.length);
    await (await admitted(begin, small)).known(caller("account 1"), false);
    expect(await resolved([parse(small, 64 * KIB)])).toBe(1);
  });

  test("that are parsed is for what is in them: an account has many that are mostly text", async () => {
    const { begin } = open();
    const all = Array.from({ length: 8 }, () => new Exchange(address(1)));
    for (const exchange of all) {
      const admission = await admitted(begin, exchange);
      await admission.known(caller("a"), false);
      expect(await resolved([parse(exchange, KIB * KIB)])).toBe(1);
      admission.parsed(100);
      // What a message in it holds is counted with it.
      admission.parsed(1);
    }
    const [first] = all;
    const costly = new Exchange(address(1));
    await (await admitted(begin, costly)).known(caller("a"), false);
    const waiting = parse(costly, KIB * KIB);
    expect(await resolved([waiting])).toBe(0);
    first?.close();
    await waiting;
  });

  test("that arrive is free again when they are whole", async () => {
    const all = await ofAccounts(open().begin, 1, 5);
    const arriving = all.map((exchange) => read(exchange, KIB * KIB));
    expect(await resolved(arriving)).toBe(4);
    await parse(all[0] as Exchange, KIB * KIB);
    expect(await resolved(arriving)).toBe(5);
  });

  test("that arrive is held for ten seconds, unless they are whole or come in parts", async () => {
    const all = await ofAccounts(open().begin, 1, 3);
    const [first, second, third] = all as [Exchange, Exchange, Exchange];
    const waits: unknown[] = [];
    const arrivalLimit = { pause: () => {}, restart: (ms?: number) => void waits.push(ms) };
    for (const { request } of all) {
      bodyHooksOf(request as NodeRequest).arrivalLimit = arrivalLimit;
    }
    await read(first, 64 * KIB);
    expect(waits).toEqual([]);
    await read(first, 64 * KIB + 1);
    await read(first, 70_000);
    expect(waits).toEqual([LONG_BODY_SECONDS * 1_000]);
    // Its end came meanwhile.
    Object.assign(second.request, { complete: true });
    await read(second, 70_000);
    // An import waits for its parts.
    bodyHooksOf(third.request as NodeRequest).arrivesInParts = true;
    await read(third, KIB * KIB);
    expect(waits).toHaveLength(1);
  });

  test("of an import is that of a line at a time", async () => {
    const [exchange] = await ofAccounts(open().begin, 1, 1);
    if (exchange === undefined) throw new Error("there is one");
    for (let line = 0; line < 50; line++) {
      expect(await resolved([parse(exchange, line % 2 === 0 ? KIB * KIB : 64 * KIB)])).toBe(1);
    }
  });
});

test("past the limit of all addresses that response ends which began longest ago", async () => {
  const { begin } = open({ withoutAccount: 3 });
  const all = Array.from({ length: 6 }, (_, index) => new Exchange(address(index)));
  const [ofAccount, ...others] = all;
  for (const exchange of all) {
    const admission = await admitted(begin, exchange);
    if (exchange === ofAccount) await admission.known(caller("a"), false);
  }
  expect(ofAccount?.response.destroyed).toBe(false);
  expect(others.map(({ response }) => response.destroyed)).toEqual([
    true,
    true,
    false,
    false,
    false,
  ]);
});
