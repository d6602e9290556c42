/** What an error says: a sentence, a word, and for a wait how long (D13, D13a, D15). */
import { randomUUID } from "node:crypto";
import { beforeAll, expect, test } from "vitest";
import type { RestAnswer } from "../../support/rest-client.ts";
import type { TestAccount } from "../../support/service.ts";
import { expectFailure, unique, write } from "../calls.ts";
import { rawJsonRequest, rawRequest } from "../raw-http.ts";
import { useSpec } from "../spec.ts";

const spec = useSpec({ rateLimit: true });

let account: TestAccount;
beforeAll(async () => {
  account = await spec.service.createAccount({ burst: 100_000 });
});
const send = (
  method: string,
  path: string,
  body?: string,
  headers?: Readonly<Record<string, string>>,
) => rawJsonRequest(spec.service.url, account.key, method, path, body, headers);

test("7 detail, D13, D13a: exactly `detail`, a sentence, and `reason`, a word", async () => {
  const answers: RestAnswer[] = [
    await send("GET", "/nowhere"),
    await send("PUT", "/agent/memories"),
    await rawRequest(spec.service.url, "GET", "/plan/status"),
    await send("POST", "/agent/memories", "{"),
    await send("POST", "/agent/memories", "{}"),
    await send("POST", `/memories/${randomUUID()}/supersede`, "{}"),
    await send("GET", `/memories/${randomUUID()}/timeline`),
  ];
  expect(answers.map(({ status }) => status)).toEqual([404, 405, 401, 400, 422, 400, 404]);
  for (const { body } of answers) {
    const { field, ...told } = body;
    expect(told).toEqual({
      detail: expect.stringMatching(/^.{15,300}$/),
      reason: expect.stringMatching(/^[a-z_]+$/),
    });
    if (body.reason === "invalid_field") expect(field).toBe("content");
  }
});

test("7 status 500, D13: a defect shows no stack, SQL or secret", async () => {
  const content = unique("A defect");
  spec.script.vectors.set(content, () => {
    throw new Error("select * from secrets where key = 'svc_secret'");
  });
  const answer = await write(account, { content });
  expectFailure(answer, 500, "internal");
  expect(JSON.stringify(answer.body)).not.toMatch(/select|svc_|\bat /);
});
