/** How times are written and read, in bodies and in queries (D3). */
import { encodeEnvelope } from "@connectrpc/connect/protocol";
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

/** What the service answers to JSON over a protocol of RPCs: all of its texts. */
async function callRpc(
  rpc: string,
  form: string,
  ...messages: (object | string)[]
): Promise<string> {
  const path = `${spec.service.url}/agentmemory.v1.MemoryService/${rpc}`;
  const headers = { authorization: `Bearer ${reader.key}`, "content-type": `application/${form}` };
  const texts = messages.map((message) =>
    Buffer.from(typeof message === "string" ? message : JSON.stringify(message)),
  );
  if (form === "GET") {
    const query = `connect=v1&encoding=json&message=${encodeURIComponent(String(texts[0]))}`;
    return (await fetch(`${path}?${query}`, { headers })).text();
  }
  const body = Buffer.concat(
    form === "json" ? texts : texts.map((each) => encodeEnvelope(0, each)),
  );
  const answer = await fetch(path, { method: "POST", headers, body });
  return (await answer.text()).replace(/%[0-9A-F]{2}/g, decodeURIComponent);
}

const RULE = "must be a date-time with an offset, on a day that exists";

test.each([
  ["json", "asOf"],
  ["json", "as_of"],
  ["GET", "asOf"],
  ["grpc-web+json", "asOf"],
])("D3: over every protocol with JSON, %s, a moment as %s", async (form, name) => {
  for (const text of ["2023-02-29T00:00:00Z", "2024-01-01T24:00:00Z", "2024-01-01", 5]) {
    const refused = await callRpc("ListMemories", form, { [name]: text });
    expect(refused).toContain(`\`as_of\` ${RULE}`);
  }
  for (const text of ["2024-05-04t03:02:01,5z", "2024-05-04T05:02:01.5000000000+0200"]) {
    const answer = await callRpc("ListMemories", form, { [name]: text, limit: 1 });
    expect(answer).toContain('"asOf":"2024-05-04T03:02:01.500Z"');
  }
});

test("D3: the error of a time over RPCs has its reason and its field, wherever it stands", async () => {
  const day = "2024-02-30T00:00:00Z";
  const memories = [{ content: "Ada" }, { content: "Ada", validTo: day }];
  const refused = JSON.parse(await callRpc("BatchCreateMemories", "json", { memories }));
  const told = { reason: "invalid_field", metadata: { field: "memories[1].valid_to" } };
  expect(refused).toMatchObject({ code: "invalid_argument", details: [{ debug: told }, {}] });
  const supersession = { memoryId: "m", validTo: "2025-02-31T24:00:00Z" };
  expect(await callRpc("SupersedeMemory", "json", supersession)).toContain(`\`valid_to\` ${RULE}`);
  const lines = [
    { format: { format: "agent-memory", version: 1 } },
    { memory: { createdAt: day } },
  ];
  const stopped = await callRpc("ImportMemories", "connect+json", ...lines);
  expect(stopped).toContain(`line 2: \`memory.created_at\` ${RULE}`);
  // What is no time is as before.
  const metadata = { valid_from: day };
  expect(await callRpc("ListMemories", "json", { metadata, asOf: null })).toMatch(/^{"companyId"/);
});

test("D7: a field that JSON over RPCs has twice is refused", async () => {
  const named = { asOf: null, as_of: null };
  expect(await callRpc("ListMemories", "json", named)).toContain("set multiple times");
  const twice = JSON.stringify(named).replace("as_of", "asOf");
  const refused = await callRpc("ListMemories", "json", twice);
  expect(refused).toContain("duplicate object key");
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
