/** Tracing by itself: which calls are told of, and what it does where nobody takes them. */
import { beforeEach, describe, expect, test } from "vitest";
import { MAX_WAITING_SPANS, startTracing } from "../../src/tracing.ts";
import { forThisFile } from "../support/for-this-file.ts";
import { type ReceivedSpan, startOtlpCollector } from "../support/otlp-collector.ts";
import { SILENT_LOG, startTestService } from "../support/service.ts";
import { tracingTo } from "./tracing-to.ts";

const ENDED = {
  rpc: "agentmemory.v1.PlanService/GetPlanStatus",
  protocol: "rest",
  code: "ok",
  reason: null,
  durationMs: 1,
  httpMethod: "GET",
  httpStatus: 200,
};
const PARENT = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7";
const SAMPLED = { traceparent: `${PARENT}-01` };
const UNSAMPLED = { traceparent: `${PARENT}-00` };
/** Of them a few may be sent already when the queue is full. */
const MAX_SENT_MEANWHILE = 1_024;

const collector = await forThisFile(startOtlpCollector());

/** That so many came since, however long a busy machine takes. */
async function expectSpans(before: number, count: number): Promise<ReceivedSpan[]> {
  const since = () => collector.spans.slice(before);
  await expect.poll(() => since().length, { timeout: 60_000 }).toBeGreaterThanOrEqual(count);
  expect(since()).toHaveLength(count);
  return since();
}

function tracing(sampledShare = 1) {
  return startTracing(tracingTo(collector.origin, sampledShare), {
    version: "1.0.0",
    server: { address: "127.0.0.1", port: 8080 },
    now: () => BigInt(Date.now()) * 1_000n,
    monotonicMs: () => performance.now(),
    log: SILENT_LOG,
  });
}

describe("which calls are told of", () => {
  test.each<[share: number, headers: { traceparent?: string }, isTold: boolean]>([
    [1, {}, true],
    [0, {}, false],
    [0, SAMPLED, true],
    [1, UNSAMPLED, false],
  ])("a share of %d, with %j: %s", async (sampledShare, headers, isTold) => {
    const before = collector.spans.length;
    const traced = tracing(sampledShare);
    traced.begin(headers).end(ENDED);
    await traced.close();
    await expectSpans(before, isTold ? 1 : 0);
  });
});

describe("a piece of work", () => {
  let before: number;
  beforeEach(() => {
    before = collector.spans.length;
  });

  test("is told of with its call, and not where the call is not", async () => {
    const traced = tracing();
    const [told, dropped] = [traced.begin({}), traced.begin({})];
    for (const call of [told, dropped]) {
      await call.run(() => traced.span("gate", {}, async () => {}));
    }
    told.end(ENDED);
    await traced.close();
    const spans = await expectSpans(before, 2);
    expect(spans.map(({ name, traceId }) => [name, traceId])).toEqual([
      ["gate", told.traceId],
      [ENDED.rpc, told.traceId],
    ]);
  });

  test("fails as what it does, of which only the kind is told", async () => {
    const traced = tracing();
    const error = new TypeError("Ada lives in Rome");
    const failing = async () => {
      throw error;
    };
    await expect(traced.span("write", {}, failing)).rejects.toBe(error);
    await traced.close();
    expect(await expectSpans(before, 1)).toMatchObject([
      { isError: true, statusMessage: "", attributes: { "error.type": "TypeError" } },
    ]);
    expect(collector.contains("Ada")).toBe(false);
  });
});

test("where the collector takes nothing for a while, what is too much is dropped", async () => {
  const before = collector.spans.length;
  const goOn = collector.stall();
  const traced = tracing();
  for (let index = 0; index < 4 * MAX_WAITING_SPANS; index++) traced.begin({}).end(ENDED);
  goOn();
  await traced.close();
  const received = () => collector.spans.length - before;
  await expect.poll(received, { timeout: 60_000 }).toBeGreaterThanOrEqual(MAX_WAITING_SPANS);
  expect(received()).toBeLessThanOrEqual(MAX_WAITING_SPANS + MAX_SENT_MEANWHILE);
});

/** What a service with such a collector warns of; it has answered a call, and ended. */
async function warningsOfService(origin: string): Promise<unknown[]> {
  const warnings: unknown[] = [];
  const log = { ...SILENT_LOG, warn: (...line: unknown[]) => void warnings.push(line) };
  const service = await startTestService({ config: { tracing: tracingTo(origin) }, log });
  const { rest } = await service.createAccount();
  expect((await rest("GET", "/plan/status")).status).toBe(200);
  await service.close();
  return warnings;
}

test("where the collector refuses them, calls are answered, and the log says how", async () => {
  collector.answerWith(403);
  const warnings = await warningsOfService(collector.origin).finally(() =>
    collector.answerWith(200),
  );
  const refused = [{ spans: expect.any(Number), code: 403 }, "traces could not be sent"];
  expect(warnings).toContainEqual(refused);
});

test("where there is no collector, calls are answered, and the service ends all the same", async () => {
  const gone = await startOtlpCollector();
  await gone.close();
  expect(await warningsOfService(gone.origin)).not.toEqual([]);
});
