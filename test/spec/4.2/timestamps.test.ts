/** How times are written and read, in bodies and in queries (D3). */
import { beforeAll, expect, test } from "vitest";
import type { TestAccount } from "../../support/service.ts";
import { expectInvalid, list, remember, write } from "../calls.ts";
import { rawRequest } from "../raw-http.ts";
import { useSpec } from "../spec.ts";

const spec = useSpec();

let reader: TestAccount;
/** With one memory, for tests that only read. */
beforeAll(async () => {
  reader = await spec.service.createAccount();
  await remember(reader);
});

test.each([
  ["D3: Z", "2024-05-04T03:02:01Z", "2024-05-04T03:02:01.000000Z"],
  ["D3: nanoseconds", "2024-05-04T03:02:01.123456789Z", "2024-05-04T03:02:01.123456Z"],
  ["D3 wide forms: without seconds", "2024-05-04T03:02Z", "2024-05-04T03:02:00.000000Z"],
  ["D3 wide forms: +hhmm", "2024-05-04T03:02:01+0200", "2024-05-04T01:02:01.000000Z"],
])("%s (%s), in a body and in a query", async (_, text, written) => {
  const account = await spec.service.createAccount();
  await remember(account, "Ada", { valid_from: text });
  const answer = await list(account, { as_of: text });
  expect(answer.as_of).toBe(written);
  expect(answer.memories[0]).toMatchObject({
    valid_from: written,
    temporal: { valid_from: written },
  });
});

test.each([
  ["D3: `+` as it is, which arrives as a space", "2024-05-04T03:02:01+02:00"],
  ["D3: `+` encoded", "2024-05-04T03:02:01%2B02:00"],
])("%s", async (_, text) => {
  const answer = await rawRequest(spec.service.url, "GET", `/agent/memories?as_of=${text}`, {
    headers: { authorization: `Bearer ${reader.key}` },
  });
  expect(answer).toMatchObject({ status: 200, body: { as_of: "2024-05-04T01:02:01.000000Z" } });
});

test.each([
  ["D3: without an offset", "2024-05-04T03:02:01"],
  ["D3: only a date", "2024-05-04"],
  ["D3: a day that does not exist", "2024-02-30T00:00:00Z"],
  ["D3 wide forms: only the hour", "2024-01-01T00Z"],
])("%s is refused (%j)", async (_, text) => {
  const query = { as_of: text };
  expectInvalid(await reader.rest("GET", "/agent/memories", { query }), "as_of");
  const refused = await write(reader, { content: "Ada", valid_from: text });
  expectInvalid(refused, "valid_from");
  expect(refused.body.detail).toContain("with an offset, on a day that exists");
  expectInvalid(await write(reader, { content: "Ada", valid_to: text }), "valid_to");
});
