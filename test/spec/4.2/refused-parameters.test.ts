/** Parameters that are refused by name (D7, D8). */
import { beforeAll, test } from "vitest";
import type { TestAccount } from "../../support/service.ts";
import { expectFailure, expectInvalid, remember } from "../calls.ts";
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
  ["D7: an unknown parameter", "tenantid=acme", "tenantid"],
  ["D7: a parameter in camelCase", "tenantId=acme", "tenantId"],
  ["D7: a parameter in capitals", "LIMIT=5", "LIMIT"],
  ["D7: `sources` of the other endpoint", "sources=agent", "sources"],
  ["D7: tenant_id given twice", "tenant_id=a&tenant_id=b", "tenant_id"],
  ["D7: source given twice", "source=a&source=a", "source"],
  ["D7: limit given twice", "limit=1&limit=1", "limit"],
  ["D7: a list in PHP's manner", "source[]=a", "source[]"],
  ["D8: a tenant_id without a value", "tenant_id", "tenant_id"],
  ["4.2 parameter include_superseded: a number", "include_superseded=1", "include_superseded"],
  ["4.2 parameter include_superseded: capitals", "include_superseded=TRUE", "include_superseded"],
  ["4.2 parameter include_superseded: empty", "include_superseded=", "include_superseded"],
  ["4.2 parameter limit: a fraction", "limit=1.5", "limit"],
  ["4.2 parameter limit: empty", "limit=", "limit"],
  ["4.2 parameter limit: beyond 32 bits", "limit=4294967297", "limit"],
  ["4.2 parameter limit: with an exponent", "limit=1e2", "limit"],
  ["D8: bytes that are no UTF-8", "tenant_id=%ff", "tenant_id"],
  ["D8: a broken escape", "tenant_id=%zz", "tenant_id"],
])("%s", async (_, query, field) => {
  expectInvalid(await reader.rest("GET", `/agent/memories?${query}`), field);
});

test("D7: a body on GET", async () => {
  const answer = await rawRequest(spec.service.url, "GET", "/agent/memories", {
    headers: {
      authorization: `Bearer ${reader.key}`,
      "content-type": "application/json",
      "content-length": "2",
    },
    body: "{}",
  });
  expectFailure(answer, 422, "invalid_field", "body");
});
