/** Answers that cannot be written, which no handler and no interceptor sees. */
import { expect, onTestFinished, test } from "vitest";
import { startTestService } from "../support/service.ts";
import { quietLog } from "./listener-fixture.ts";

/** JSON has no times after the year 9999; microseconds. */
const TEN_THOUSAND_YEARS = 10_000n * 366n * 86_400n * 1_000_000n;

test("D13: an answer that cannot be written is a 500, and the operator is told why", async () => {
  const log = quietLog();
  const service = await startTestService({ log });
  onTestFinished(() => service.close());
  const { rest, key } = await service.createAccount();
  service.clock.advance(TEN_THOUSAND_YEARS);

  const overRest = await rest("GET", "/plan/status");
  expect(overRest).toMatchObject({ status: 500, body: { reason: "internal" } });
  expect(log.errors).toHaveLength(1);

  const overConnect = await fetch(`${service.url}/agentmemory.v1.PlanService/GetPlanStatus`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    body: "{}",
  });
  expect(overConnect.status).toBe(500);
  expect(await overConnect.json()).toMatchObject({ code: "internal" });
  expect(log.errors).toHaveLength(2);
});
