/**
 * What is wrong with a request before its fields are read (D13). The tests of
 * packages/transcoding have every form of it.
 */
import { randomUUID } from "node:crypto";
import { beforeAll, expect, test } from "vitest";
import type { TestAccount } from "../../support/service.ts";
import { expectFailure, expectInvalid, expectOk } from "../calls.ts";
import { rawJsonRequest } from "../raw-http.ts";
import { useSpec } from "../spec.ts";

const spec = useSpec();

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

test.each([
  ["7 status 400, D13: a word", "hello"],
  ["7 status 400, D13: a list", '[{"content": "Ada"}]'],
])("%s", async (_, body) => {
  for (const path of ["/agent/memories", "/agent/query", `/memories/${randomUUID()}/supersede`]) {
    expectFailure(await send("POST", path, body), 400, "malformed_body");
  }
  expectFailure(await send("PATCH", "/agent/settings", body), 400, "malformed_body");
});

test("7 status 400, D13: bytes that are no UTF-8", async () => {
  const answer = await fetch(`${spec.service.url}/agent/memories`, {
    method: "POST",
    headers: { authorization: `Bearer ${account.key}`, "content-type": "application/json" },
    body: Buffer.from('{"content": "Köln"}', "latin1"),
  });
  expect(answer.status).toBe(400);
  expect(await answer.json()).toEqual({ detail: expect.any(String), reason: "malformed_body" });
});

test.each([
  ["GET", "/agent/memories/"],
  ["GET", "/agent/memories/..%2f..%2fetc/passwd"],
])("7 status 404, D13: the unknown path %s %s", async (method, path) => {
  expectFailure(await send(method, path), 404, "path_not_found");
});

test.each([
  ["PUT", "/agent/memories", "DELETE, GET, POST"],
  ["GET", `/memories/${randomUUID()}/supersede`, "POST"],
])("D13: 405 with `Allow` for %s %s", async (method, path, allow) => {
  const answer = await send(method, path);
  expectFailure(answer, 405, "method_not_allowed");
  expect(answer.headers.get("allow")).toBe(allow);
});

test.each([["D13: no type", ""]])("%s is 415", async (_, type) => {
  const answer = await send("POST", "/agent/memories", '{"content":"Ada"}', {
    "content-type": type,
  });
  expectFailure(answer, 415, "unsupported_media_type");
});

test("D13: a body that is compressed is 415", async () => {
  const answer = await send("POST", "/agent/memories", '{"content":"Ada"}', {
    "content-encoding": "gzip",
  });
  expectFailure(answer, 415, "unsupported_media_type");
});

test("7 status 422, D8: NUL and lone surrogates in any text", async () => {
  for (const text of ["a\\u0000b", "\\ud800", "a\\udc00b"]) {
    for (const [path, body, field] of [
      ["/agent/memories", `{"content":"${text}"}`, "content"],
      ["/agent/memories", `{"content":"Ada","topic":"${text}"}`, "topic"],
      ["/agent/memories", `{"content":"Ada","source":"${text}"}`, "source"],
      ["/agent/memories", `{"content":"Ada","tenant_id":"${text}"}`, "tenant_id"],
      [
        "/agent/memories",
        `{"messages":[{"role":"user","content":"${text}"}]}`,
        "messages[0].content",
      ],
      ["/agent/query", `{"question":"${text}"}`, "question"],
      ["/agent/query", `{"question":"Ada?","sources":["${text}"]}`, "sources[0]"],
    ] as const) {
      expectInvalid(await send("POST", path, body), field);
    }
  }
});

test("D7: a field given twice, also within another and as another spelling of its name", async () => {
  const ada = '{"content":"Ada","tenant_id":"a"';
  for (const [path, body, field] of [
    ["/agent/memories", `${ada},"tenant_id":"b"}`, "tenant_id"],
    ["/agent/memories", `${ada},"tenant\\u005fid":"b"}`, "tenant_id"],
    ["/agent/memories", `${ada},"metadata":{"k":"1","k":"2"}}`, "metadata.k"],
    [
      "/agent/memories:batch",
      `{"memories":[${ada},"topic":"[{,"},${ada},"content":"Ada"}]}`,
      "memories[1].content",
    ],
  ] as const) {
    expectInvalid(await send("POST", path, body), field);
  }
  const texts = `${ada},"metadata":{"tenant_id":"{\\"content\\":1,\\"content\\":2}"}}`;
  expectOk(await send("POST", "/agent/memories", texts));
});

test("D7: names that mean something to JavaScript are unknown fields", async () => {
  for (const name of ["__proto__", "constructor", "toString", "hasOwnProperty"]) {
    const body = `{"content":"Ada","${name}":{}}`;
    expectInvalid(await send("POST", "/agent/memories", body), name);
  }
});
