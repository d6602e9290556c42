/** Of several errors the first of the order of D13b is answered. */
import { randomUUID } from "node:crypto";
import { beforeAll, expect, test } from "vitest";
import { EXPLAINED_REASONS } from "../../../.ci/reference-pages/errors-page.ts";
import { SECOND } from "../../../src/domain/instant.ts";
import { suspendAccount } from "../../../src/service/admin/accounts.ts";
import type { RestAnswer } from "../../support/rest-client.ts";
import type { TestAccount } from "../../support/service.ts";
import {
  expectFailure,
  expectInvalid,
  expectOk,
  list,
  remember,
  supersede,
  unique,
  write,
} from "../calls.ts";
import { rawRequest } from "../raw-http.ts";
import { unavailable } from "../scripted-models.ts";
import { useSpec } from "../spec.ts";

const MIB = 1024 * 1024;

const spec = useSpec({ rateLimit: true });

let account: TestAccount;

/** In the order in which they are answered, with what a supersession then gets. */
const FAULTS = {
  path: [404, "path_not_found"],
  key: [401, "unauthenticated"],
  rate: [429, "rate_limited"],
  suspended: [403, "account_suspended"],
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
  account = await spec.service.createAccount({ burst: 100_000 });
  foreign = await remember(await spec.service.createAccount());
  for (const isLimited of [false, true]) {
    for (const isBlocked of [false, true]) {
      for (const isSuspended of [false, true]) {
        const caller = await spec.service.createAccount({ burst: 100_000 });
        const { companyId } = caller;
        const current = await remember(caller, "Current");
        const superseded = await remember(caller, "Superseded");
        expectOk(await supersede(caller, superseded, { valid_to: "2999-01-01T00:00:00Z" }));
        await spec.service.updateAccount(companyId, {
          ...(isBlocked && { writesLimit: 0, graceDays: 0 }),
          ...(isLimited && { rate: 1e-6, burst: 1 }),
        });
        if (isSuspended) await suspendAccount(spec.service.context, companyId, true);
        const kind = `${isLimited} ${isBlocked} ${isSuspended}`;
        callers.set(kind, { ...caller, current, superseded });
      }
    }
  }
  spec.service.clock.advance(SECOND);
  for (const [kind, caller] of callers) {
    if (kind.startsWith("true")) await caller.rest("GET", "/plan/status");
  }
});

/** One supersession that is wrong in each of these ways. */
function supersedeWrongly(faults: ReadonlySet<Fault>): Promise<RestAnswer> {
  const has = (fault: Fault) => faults.has(fault);
  const caller = callers.get(`${has("rate")} ${has("plan")} ${has("suspended")}`) as Caller;
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
  return rawRequest(spec.service.url, "POST", path, {
    headers: {
      "content-type": has("type") ? "text/plain" : "application/json",
      ...(!has("key") && { authorization: `Bearer ${caller.key}` }),
    },
    body: has("size") ? text + " ".repeat(MIB) : text,
  });
}

const pairs = ORDER.flatMap((first, i) =>
  ORDER.slice(i).map((second) => [first, second] as const),
).filter((pair) => !EXCLUSIVE.some((each) => each.every((fault) => pair.includes(fault as Fault))));

test.each(pairs)("D13b: %s before %s", async (first, second) => {
  const [status, reason] = FAULTS[first];
  expectFailure(await supersedeWrongly(new Set([first, second])), status, reason);
});

test("D13b: in the order of the table of errors", () => {
  const reasons: readonly string[] = Object.values(FAULTS).map(([, reason]) => reason);
  expect(EXPLAINED_REASONS.filter((reason) => reasons.includes(reason))).toEqual(reasons);
});

test("D13b: 405 before 401, and 401 before the body is looked at", async () => {
  expectFailure(
    await rawRequest(spec.service.url, "PUT", "/agent/memories"),
    405,
    "method_not_allowed",
  );
  const answer = await rawRequest(spec.service.url, "POST", "/agent/memories", { body: "{" });
  expectFailure(answer, 401, "unauthenticated");
});

test("D13b: writes: 422, then 403 canceled, then 429 quota, then 503", async () => {
  const content = unique("No model");
  spec.script.vectors.set(content, unavailable);
  const canceled = await spec.service.createAccount({ planStatus: "canceled", writesLimit: 0 });
  const exhausted = await spec.service.createAccount({ writesLimit: 0 });
  const blocked = await spec.service.createAccount({ writesLimit: 0, graceDays: 0 });
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
