import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { SECOND } from "../../src/domain/instant.ts";
import type { RestAnswer } from "../support/rest-client.ts";
import { startTestService, type TestAccount, type TestService } from "../support/service.ts";
import {
  eventually,
  expectFailure,
  expectInvalid,
  expectOk,
  expectRetryAfter,
  list,
  memoryOf,
  remember,
  supersede,
  unique,
  write,
} from "./calls.ts";
import { rawRequest } from "./raw-http.ts";
import { scriptModels, unavailable } from "./scripted-models.ts";

const MIB = 1024 * 1024;
const script = scriptModels();
let service: TestService;
let account: TestAccount;

beforeAll(async () => {
  service = await startTestService({ models: script.models, config: { rateLimit: true } });
  account = await service.createAccount({ burst: 100_000 });
});
afterAll(() => service.close());

function send(method: string, path: string, body?: string, headers: Record<string, string> = {}) {
  return rawRequest(service.url, method, path, {
    headers: {
      authorization: `Bearer ${account.key}`,
      ...(body !== undefined && {
        "content-type": "application/json",
        "content-length": String(Buffer.byteLength(body)),
      }),
      ...headers,
    },
    body,
  });
}

describe("the request as such (D13)", () => {
  test.each([
    ["7 status 400, D13: nothing", ""],
    ["7 status 400, D13: white space", " \n"],
    ["7 status 400, D13: a word", "hello"],
    ["7 status 400, D13: half an object", '{"content": "Ada'],
    ["7 status 400, D13: something behind the object", '{"content": "Ada"} x'],
    ["7 status 400, D13: a trailing comma", '{"content": "Ada",}'],
    ["7 status 400, D13: names without quotes", '{content: "Ada"}'],
    ["7 status 400, D13: single quotes", "{'content': 'Ada'}"],
    ["7 status 400, D13: a form", "content=Ada"],
    ["7 status 400, D13: a list", '[{"content": "Ada"}]'],
    ["7 status 400, D13: a string", '"Ada"'],
    ["7 status 400, D13: a number", "5"],
    ["7 status 400, D13: null", "null"],
    ["7 status 400, D13: true", "true"],
    ["7 status 400, D13: a byte order mark", '\ufeff{"content": "Ada"}'],
    ["7 status 400, D13: NaN", '{"content": NaN}'],
  ])("%s", async (_, body) => {
    for (const path of ["/agent/memories", "/agent/query", `/memories/${randomUUID()}/supersede`]) {
      expectFailure(await send("POST", path, body), 400, "malformed_body");
    }
    expectFailure(await send("PATCH", "/agent/settings", body), 400, "malformed_body");
  });

  test("7 status 400, D13: bytes that are no UTF-8", async () => {
    const answer = await fetch(`${service.url}/agent/memories`, {
      method: "POST",
      headers: { authorization: `Bearer ${account.key}`, "content-type": "application/json" },
      body: Buffer.from('{"content": "Köln"}', "latin1"),
    });
    expect(answer.status).toBe(400);
    expect(await answer.json()).toEqual({ detail: expect.any(String), reason: "malformed_body" });
  });

  test.each([
    ["GET", "/"],
    ["GET", "/agent"],
    ["GET", "/agent/memories/"],
    ["GET", "//agent/memories"],
    ["GET", "/Agent/Memories"],
    ["POST", "/agent/memory"],
    ["GET", "/memories"],
    ["GET", `/memories/${randomUUID()}`],
    ["GET", `/memories/${randomUUID()}/history`],
    ["POST", "/memories//supersede"],
    ["GET", "/plan"],
    ["GET", "/agent/memories/..%2f..%2fetc/passwd"],
  ])("7 status 404, D13: the unknown path %s %s", async (method, path) => {
    expectFailure(await send(method, path), 404, "path_not_found");
  });

  test.each([
    ["PUT", "/agent/memories", "DELETE, GET, POST"],
    ["PATCH", "/agent/memories", "DELETE, GET, POST"],
    ["OPTIONS", "/agent/memories", "DELETE, GET, POST"],
    ["GET", "/agent/query", "POST"],
    ["POST", "/agent/settings", "GET, PATCH"],
    ["PUT", "/agent/settings", "GET, PATCH"],
    ["POST", "/plan/status", "GET"],
    ["GET", `/memories/${randomUUID()}/supersede`, "POST"],
    ["POST", `/memories/${randomUUID()}/timeline`, "GET"],
    ["DELETE", `/memories/${randomUUID()}/audit`, "GET"],
  ])("D13: 405 with `Allow` for %s %s", async (method, path, allow) => {
    const answer = await send(method, path);
    expectFailure(answer, 405, "method_not_allowed");
    expect(answer.headers.get("allow")).toBe(allow);
  });

  test.each([
    ["D13: no type", ""],
    ["D13: text", "text/plain"],
    ["D13: a form", "application/x-www-form-urlencoded"],
    ["D13: a type that begins alike", "application/jsonp"],
    ["D13: a patch format", "application/merge-patch+json"],
    ["D13: another character set", "application/json; charset=iso-8859-1"],
    ["D13: no type at all", "json"],
  ])("%s is 415", async (_, type) => {
    const answer = await send("POST", "/agent/memories", '{"content":"Ada"}', {
      "content-type": type,
    });
    expectFailure(answer, 415, "unsupported_media_type");
  });

  test.each(["application/json", "Application/JSON", "application/json; charset=UTF-8"])(
    "D13: %s is JSON",
    async (type) => {
      const answer = await send("POST", "/agent/memories", '{"content":"Ada"}', {
        "content-type": type,
      });
      expectOk(answer);
    },
  );

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

  test("D8: a pair of surrogates is a character like any other", async () => {
    const answer = await send("POST", "/agent/memories", '{"content":"\\ud83e\\udd8a"}');
    expectOk(answer);
    expect((await memoryOf(account, answer.body.memory_id)).decision).toBe("🦊");
  });

  test("D7: names that mean something to JavaScript are unknown fields", async () => {
    for (const name of ["__proto__", "constructor", "toString", "hasOwnProperty"]) {
      const body = `{"content":"Ada","${name}":{}}`;
      expectInvalid(await send("POST", "/agent/memories", body), name);
    }
  });

  test("D13: JSON nested beyond reason is an error like any other", async () => {
    const deep = `{"content":${"[".repeat(50_000)}${"]".repeat(50_000)}}`;
    expectInvalid(await send("POST", "/agent/memories", deep), "content");
  });
});

describe("bodies of errors", () => {
  test("7 detail, D13, D13a: exactly `detail`, a sentence, and `reason`, a word", async () => {
    const answers: RestAnswer[] = [
      await send("GET", "/nowhere"),
      await send("PUT", "/agent/memories"),
      await rawRequest(service.url, "GET", "/plan/status"),
      await send("POST", "/agent/memories", "{"),
      await send("POST", "/agent/memories", "{}"),
      await send("POST", `/memories/${randomUUID()}/supersede`, "{}"),
      await send("GET", `/memories/${randomUUID()}/timeline`),
    ];
    expect(answers.map(({ status }) => status)).toEqual([404, 405, 401, 400, 422, 400, 404]);
    for (const { body } of answers) {
      expect(body).toEqual({
        detail: expect.stringMatching(/^.{15,300}$/),
        reason: expect.stringMatching(/^[a-z_]+$/),
      });
    }
  });

  test("7 status 500, D13: a defect shows no stack, SQL or secret", async () => {
    const content = unique("A defect");
    script.vectors.set(content, () => {
      throw new Error("select * from secrets where key = 'svc_secret'");
    });
    const answer = await write(account, { content });
    expectFailure(answer, 500, "internal");
    expect(JSON.stringify(answer.body)).not.toMatch(/select|svc_|\bat /);
  });

  test("7 status 503, D28, D15: a model that is away, with the time to wait", async () => {
    const content = unique("No model");
    script.vectors.set(content, unavailable);
    const answer = await write(account, { content });
    expectFailure(answer, 503, "model_unavailable");
    expect(expectRetryAfter(answer)).toBe(5);
  });

  test("7 status 429, D15, D13a: rate and quota are told apart by `reason`, both with a wait", async () => {
    const limited = await service.createAccount({ rate: 0.01, burst: 1 });
    expectOk(await limited.rest("GET", "/plan/status"));
    const tooFast = await limited.rest("GET", "/plan/status");
    expectFailure(tooFast, 429, "rate_limited");
    expect(expectRetryAfter(tooFast)).toBeLessThanOrEqual(100);

    const exhausted = await service.createAccount({ writesLimit: 0 });
    const tooMuch = await write(exhausted, { content: "Ada" });
    expectFailure(tooMuch, 429, "write_quota_exceeded");
    expect(expectRetryAfter(tooMuch)).toBeGreaterThan(100);
  });

  test("7 status 403, D13a, D31: why it is forbidden is told by `reason`", async () => {
    const canceled = await service.createAccount({ planStatus: "canceled" });
    expectFailure(await write(canceled, { content: "Ada" }), 403, "plan_canceled");
    const stranger = await service.createAccount();
    const id = await remember(stranger);
    const answer = await account.rest("GET", `/memories/${id}/timeline`);
    expectFailure(answer, 403, "not_owner", "memory_id");
  });
});

describe("which of several errors is answered (D13b)", () => {
  /** In the order in which they are answered, with what a supersession then gets. */
  const FAULTS = {
    path: [404, "path_not_found"],
    key: [401, "unauthenticated"],
    rate: [429, "rate_limited"],
    size: [413, "body_too_large"],
    type: [415, "unsupported_media_type"],
    json: [400, "malformed_body"],
    neither: [400, "missing_supersession"],
    field: [422, "invalid_field"],
    plan: [429, "plan_blocked"],
    missing: [404, "memory_not_found"],
    foreign: [403, "not_owner"],
    state: [409, "already_superseded"],
  } as const;
  type Fault = keyof typeof FAULTS;
  const ORDER = Object.keys(FAULTS) as Fault[];
  /** What cannot be wrong in one request. */
  const EXCLUSIVE = [
    ["json", "neither"],
    ["neither", "missing"],
    ["neither", "foreign"],
  ];

  interface Caller extends TestAccount {
    /** A current memory, and one that was superseded. */
    readonly current: string;
    readonly superseded: string;
  }
  const callers = new Map<string, Caller>();
  let foreign: string;

  beforeAll(async () => {
    foreign = await remember(await service.createAccount());
    for (const isLimited of [false, true]) {
      for (const isBlocked of [false, true]) {
        const caller = await service.createAccount({ burst: 100_000 });
        const current = await remember(caller, "Current");
        const superseded = await remember(caller, "Superseded");
        expectOk(await supersede(caller, superseded, { valid_to: "2999-01-01T00:00:00Z" }));
        await service.updateAccount(caller.companyId, {
          ...(isBlocked && { writesLimit: 0, graceDays: 0 }),
          ...(isLimited && { rate: 1e-6, burst: 1 }),
        });
        callers.set(`${isLimited} ${isBlocked}`, { ...caller, current, superseded });
      }
    }
    service.clock.advance(SECOND);
    for (const [kind, caller] of callers) {
      if (kind.startsWith("true")) await caller.rest("GET", "/plan/status");
    }
  });

  /** One supersession that is wrong in each of these ways. */
  function supersedeWrongly(faults: ReadonlySet<Fault>): Promise<RestAnswer> {
    const has = (fault: Fault) => faults.has(fault);
    const caller = callers.get(`${has("rate")} ${has("plan")}`) as Caller;
    const fields = {
      ...(!has("neither") && { valid_to: "2998-01-01T00:00:00Z" }),
      ...(has("missing") && { superseded_by: randomUUID() }),
      ...(has("foreign") && !has("missing") && { superseded_by: foreign }),
    };
    const isFieldInPath = has("json") || has("neither");
    const body = {
      ...fields,
      ...(has("field") && !isFieldInPath && { valid_to: "yesterday" }),
    };
    const text = (has("json") ? "{" : "") + JSON.stringify(body);
    const memoryId =
      has("field") && isFieldInPath
        ? "no-uuid"
        : has("missing") && has("foreign")
          ? foreign
          : has("state")
            ? caller.superseded
            : caller.current;
    const path = has("path") ? `/memories/${memoryId}/replace` : `/memories/${memoryId}/supersede`;
    return rawRequest(service.url, "POST", path, {
      headers: {
        "content-type": has("type") ? "text/plain" : "application/json",
        ...(!has("key") && { authorization: `Bearer ${caller.key}` }),
      },
      body: has("size") ? text + " ".repeat(MIB) : text,
    });
  }

  const pairs = ORDER.flatMap((first, i) =>
    ORDER.slice(i).map((second) => [first, second] as const),
  ).filter(
    (pair) => !EXCLUSIVE.some((each) => each.every((fault) => pair.includes(fault as Fault))),
  );

  test.each(pairs)("D13b: %s before %s", async (first, second) => {
    const [status, reason] = FAULTS[first];
    expectFailure(await supersedeWrongly(new Set([first, second])), status, reason);
  });

  test("D13b: everything at once, less and less of it", async () => {
    const faults = new Set(ORDER.filter((fault) => fault !== "neither"));
    for (const fault of ORDER.filter((each) => each !== "neither")) {
      const [status, reason] = FAULTS[fault];
      expectFailure(await supersedeWrongly(faults), status, reason);
      faults.delete(fault);
    }
  });

  test("D13b: 405 before 401, and 401 before the body is looked at", async () => {
    expectFailure(
      await rawRequest(service.url, "PUT", "/agent/memories"),
      405,
      "method_not_allowed",
    );
    const answer = await rawRequest(service.url, "POST", "/agent/memories", { body: "{" });
    expectFailure(answer, 401, "unauthenticated");
  });

  test("D13b: writes: 422, then 403 canceled, then 429 quota, then 503", async () => {
    const content = unique("No model");
    script.vectors.set(content, unavailable);
    const canceled = await service.createAccount({ planStatus: "canceled", writesLimit: 0 });
    const exhausted = await service.createAccount({ writesLimit: 0 });
    const blocked = await service.createAccount({ writesLimit: 0, graceDays: 0 });
    for (const caller of [canceled, exhausted, blocked]) {
      expectInvalid(await write(caller, { content, topic: "" }), "topic");
      const past = { content, valid_to: "2020-01-01T00:00:00Z" };
      expectInvalid(await write(caller, past), "valid_to");
    }
    expectFailure(await write(canceled, { content }), 403, "plan_canceled");
    expectFailure(await write(exhausted, { content }), 429, "write_quota_exceeded");
    expectFailure(await write(blocked, { content }), 429, "plan_blocked");
    expectFailure(await write(account, { content }), 503, "model_unavailable");
    expect((await list(account, { source: "none" })).count).toBe(0);
  });

  test("D13b: 409 of an idempotency key before 503", async () => {
    const content = unique("Held");
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    script.vectors.set(content, () => released.then(unavailable));
    const headers = { "idempotency-key": "held" };
    const first = write(account, { content }, headers);
    await eventually(() => script.shown).toContain(content);
    const second = await write(account, { content }, headers);
    expectFailure(second, 409, "idempotency_key_in_use", "Idempotency-Key");
    release();
    expectFailure(await first, 503, "model_unavailable");
  });
});
