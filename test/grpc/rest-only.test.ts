/** Failures that only JSON over HTTP has, on both versions of HTTP (D13, D13b). */
import { connect } from "node:http2";
import { text } from "node:stream/consumers";
import { describe, expect, test } from "vitest";
import { MAX_BODY_BYTES } from "../../src/domain/limits.ts";
import type { TestAccount, TestService } from "../support/service.ts";
import { serviceTest } from "../support/shared-service.ts";

let service: TestService;
let account: TestAccount;
serviceTest.beforeAll(async ({ sharedService }) => {
  service = sharedService;
  account = await service.createAccount();
});

interface HttpCall {
  readonly method: string;
  readonly path: string;
  readonly headers?: Record<string, string>;
  readonly body?: string;
}

interface HttpAnswer {
  readonly status: number;
  readonly allow: string | null;
  readonly body: { readonly detail: string; readonly reason: string };
}

const senders: Readonly<Record<string, (call: HttpCall) => Promise<HttpAnswer>>> = {
  "HTTP/1.1": async ({ method, path, headers, body }) => {
    const response = await fetch(service.url + path, { method, headers, body });
    return {
      status: response.status,
      allow: response.headers.get("allow"),
      body: await response.json(),
    } as HttpAnswer;
  },
  "HTTP/2": async ({ method, path, headers, body }) => {
    const session = connect(service.url);
    const stream = session.request({ ...headers, ":method": method, ":path": path });
    const answered = Promise.withResolvers<Record<string, unknown>>();
    stream.on("response", answered.resolve);
    stream.on("error", answered.reject);
    stream.end(body);
    const { ":status": status, allow = null } = await answered.promise;
    const answer = { status, allow, body: JSON.parse(await text(stream)) } as HttpAnswer;
    session.close();
    return answer;
  },
};

const JSON_TYPE = { "content-type": "application/json" };

describe.each(Object.entries(senders))("over %s", (_name, send) => {
  const write = (body: string, headers: Record<string, string> = JSON_TYPE) =>
    send({
      method: "POST",
      path: "/agent/memories",
      headers: { authorization: `Bearer ${account.key}`, ...headers },
      body,
    });

  test.each(["", "{", "[]", "null", '"text"', "1", "{'a': 1}", '{"content": "a"} x', "\ufeff{}"])(
    "malformed_body: %j",
    async (body) => {
      expect(await write(body)).toMatchObject({ status: 400, body: { reason: "malformed_body" } });
    },
  );

  test.each([
    "text/plain",
    "application/x-www-form-urlencoded",
    "application/json; charset=utf-16",
    "application/jsonx",
  ])("unsupported_media_type: %s", async (type) => {
    expect(await write("{}", { "content-type": type })).toMatchObject({
      status: 415,
      body: { reason: "unsupported_media_type" },
    });
  });

  test("unsupported_media_type: a compressed body", async () => {
    expect(await write("{}", { ...JSON_TYPE, "content-encoding": "gzip" })).toMatchObject({
      status: 415,
    });
  });

  test("body_too_large: one byte past the limit, and not at the limit", async () => {
    const bodyOf = (length: number) => `{"content":"${"x".repeat(length - 14)}"}`;
    expect(await write(bodyOf(MAX_BODY_BYTES))).toMatchObject({ status: 422 });
    expect(await write(bodyOf(MAX_BODY_BYTES + 1))).toMatchObject({
      status: 413,
      body: { reason: "body_too_large" },
    });
  });

  test.each([
    "/",
    "/agent",
    "/agent/memories/",
    "/agent//memories",
    "/memories/1/x",
    "/v1/x",
    "/%zz",
  ])("path_not_found: %s, with a key and without", async (path) => {
    expect(await send({ method: "GET", path })).toMatchObject({
      status: 404,
      body: { reason: "path_not_found" },
    });
  });

  test.each([
    ["PUT", "/agent/memories", "DELETE, GET, POST"],
    ["GET", "/agent/query", "POST"],
    ["DELETE", "/agent/settings", "GET, PATCH"],
    ["POST", "/plan/status", "GET"],
    ["OPTIONS", "/memories/1/supersede", "POST"],
    ["GET", "/memories/1/supersede", "POST"],
    ["POST", "/memories/1/timeline", "GET"],
    ["PATCH", "/memories/1/audit", "GET"],
  ])("method_not_allowed: %s %s", async (method, path, allow) => {
    expect(await send({ method, path })).toMatchObject({
      status: 405,
      allow,
      body: { reason: "method_not_allowed" },
    });
  });

  test("D13b: of several errors the first is answered", async () => {
    const path = "/agent/memories";
    const huge = "x".repeat(MAX_BODY_BYTES + 1);
    const key = { authorization: `Bearer ${account.key}` };
    const plain = { "content-type": "text/plain" };
    const statuses = [
      await send({ method: "POST", path: "/none", headers: plain, body: huge }),
      await send({ method: "PUT", path, headers: plain, body: huge }),
      await send({ method: "POST", path, headers: plain, body: huge }),
      await send({ method: "POST", path, headers: { ...key, ...plain }, body: huge }),
      await send({ method: "POST", path, headers: { ...key, ...plain }, body: "{" }),
      await send({ method: "POST", path, headers: { ...key, ...JSON_TYPE }, body: "{" }),
      await send({ method: "POST", path, headers: { ...key, ...JSON_TYPE }, body: '{"x":1}' }),
    ].map(({ status }) => status);
    expect(statuses).toEqual([404, 405, 401, 413, 415, 400, 422]);
  });
});
