import { once } from "node:events";
import { type IncomingMessage, request } from "node:http";
import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { Code, ConnectError, createClient, type Transport } from "@connectrpc/connect";
import {
  createConnectTransport,
  createGrpcTransport,
  createGrpcWebTransport,
} from "@connectrpc/connect-node";
import { describe, expect, test } from "vitest";
import {
  AccountLimitsSchema,
  type AccountSchema,
  AccountService,
  PlanStatus,
  PlanTier,
} from "../../gen/agentmemory/admin/v1/account_service_pb.ts";
import { ApiKeyService } from "../../gen/agentmemory/admin/v1/api_key_service_pb.ts";
import { ErrorInfoSchema } from "../../gen/google/rpc/error_details_pb.ts";
import { Health, HealthCheckResponse_ServingStatus } from "../../gen/grpc/health/v1/health_pb.ts";
import { ServerReflection } from "../../gen/grpc/reflection/v1/reflection_pb.ts";
import { MAX_ADMIN_MESSAGE_BYTES, startAdminListener } from "../../src/edge/admin-listener.ts";
import { createMetrics } from "../../src/metrics.ts";
import { Backups } from "../../src/service/admin/backups.ts";
import { openTestDatabase, TEST_ENGINES } from "../support/database.ts";
import { forThisFile } from "../support/for-this-file.ts";
import {
  freshCompanyId,
  quietLog,
  startAdmin,
  TEST_VERSION,
  testContext,
} from "./admin-fixture.ts";

const TOKEN = "token-of-the-operator";

const store = await forThisFile(openTestDatabase(TEST_ENGINES.at(-1)));

function grpc(port: number, token?: string): Transport {
  return createGrpcTransport({
    baseUrl: `http://127.0.0.1:${port}`,
    interceptors: [
      (next) => (request) => {
        if (token !== undefined) request.header.set("authorization", `Bearer ${token}`);
        return next(request);
      },
    ],
  });
}

/** Code, reason and field of a call that fails. */
async function failureOf(call: Promise<unknown>) {
  const error = ConnectError.from(
    await call.then(
      () => null,
      (reason: unknown) => reason,
    ),
  );
  const [info] = error.findDetails(ErrorInfoSchema);
  return { code: error.code, reason: info?.reason, field: info?.metadata.field };
}

describe("the admin service", () => {
  test.each<[string, (port: number) => Transport]>([
    ["gRPC", (port) => grpc(port)],
    [
      "gRPC-Web",
      (port) => createGrpcWebTransport({ baseUrl: `http://127.0.0.1:${port}`, httpVersion: "2" }),
    ],
    [
      "Connect",
      (port) => createConnectTransport({ baseUrl: `http://127.0.0.1:${port}`, httpVersion: "2" }),
    ],
  ])("manages accounts and keys over %s", async (_protocol, transportTo) => {
    const context = testContext(store.database.db);
    const { port } = await startAdmin(context);
    const accounts = createClient(AccountService, transportTo(port));
    const apiKeys = createClient(ApiKeyService, transportTo(port));
    const companyId = freshCompanyId();

    const { account: created } = await accounts.createAccount({
      account: { companyId, ownLimits: { writesLimit: 7 } },
    });
    expect(created).toMatchObject({
      companyId,
      planTier: PlanTier.STARTER,
      planStatus: PlanStatus.ACTIVE,
      limits: { writesLimit: 7, graceDays: 7, rate: 10, burst: 40 },
    });
    expect(created?.ownLimits).toEqual(create(AccountLimitsSchema, { writesLimit: 7 }));
    expect(created?.graceEndsAt).toBeUndefined();
    const { account: updated } = await accounts.updateAccount({
      account: { companyId, ownLimits: { rate: 2.5 } },
    });
    expect(updated).toMatchObject({ limits: { rate: 2.5 } });
    expect(updated?.ownLimits).toEqual(create(AccountLimitsSchema, { writesLimit: 7, rate: 2.5 }));
    expect((await accounts.getAccount({ companyId })).account).toEqual(updated);

    const { apiKey, secret } = await apiKeys.createApiKey({ companyId });
    expect(secret.startsWith(apiKey?.prefix ?? "none")).toBe(true);
    expect((await apiKeys.listApiKeys({ companyId })).apiKeys).toEqual([apiKey]);
    const { apiKey: revoked } = await apiKeys.revokeApiKey({ id: apiKey?.id });
    expect(revoked?.revokedAt).toEqual(apiKey?.createdAt);
  });

  test("changes the fields of the mask, and clears those that are unset", async () => {
    const { port } = await startAdmin(testContext(store.database.db));
    const accounts = createClient(AccountService, grpc(port));
    const companyId = freshCompanyId();
    const own = { writesLimit: 5, graceDays: 0, rate: 2, burst: 3 };
    await accounts.createAccount({
      account: {
        companyId,
        planTier: PlanTier.PRO,
        planStatus: PlanStatus.PAST_DUE,
        ownLimits: own,
      },
    });
    const update = async (paths: string[], fields: MessageInitShape<typeof AccountSchema> = {}) => {
      const request = { account: { companyId, ...fields }, updateMask: { paths } };
      const { account } = await accounts.updateAccount(request);
      return { ...account, ownLimits: account?.ownLimits && { ...account.ownLimits } };
    };
    // What the mask does not name stays, though it is set.
    const named = await update(["own_limits.writes_limit", "plan_tier"], {
      planTier: PlanTier.STARTER,
      planStatus: PlanStatus.CANCELED,
      ownLimits: { writesLimit: 6, burst: 9 },
    });
    expect(named).toMatchObject({
      planTier: PlanTier.STARTER,
      planStatus: PlanStatus.PAST_DUE,
      ownLimits: { ...own, writesLimit: 6 },
    });
    const cleared = await update(["own_limits.writes_limit", "own_limits.rate"]);
    expect(cleared.limits).toMatchObject({ ...own, writesLimit: 10_000, rate: 10 });
    expect(cleared.ownLimits?.writesLimit).toBeUndefined();
    const replaced = await update(["own_limits"], { ownLimits: { burst: 1 } });
    expect(replaced.limits).toMatchObject({
      writesLimit: 10_000,
      graceDays: 7,
      rate: 10,
      burst: 1,
    });

    const graceEndsAt = { seconds: 1_800_000_000n, nanos: 1_000 };
    expect((await update(["grace_ends_at"], { graceEndsAt })).graceEndsAt).toMatchObject(
      graceEndsAt,
    );
    expect((await update(["grace_ends_at"])).graceEndsAt).toBeUndefined();

    for (const path of ["plan_tier", "plan_status", "period_start"]) {
      expect(await failureOf(update([path]))).toMatchObject({
        reason: "invalid_field",
        field: path,
      });
    }
    for (const path of [
      "company_id",
      "limits",
      "limits.rate",
      "writes_used",
      "planTier",
      "*",
      "",
    ]) {
      expect(await failureOf(update([path]))).toMatchObject({
        reason: "invalid_field",
        field: `update_mask.${path}`,
      });
    }
  });

  test("refuses what is outside its rule with the field's name", async () => {
    const { port } = await startAdmin(testContext(store.database.db));
    const accounts = createClient(AccountService, grpc(port));
    const apiKeys = createClient(ApiKeyService, grpc(port));
    const companyId = freshCompanyId();
    // Enums are open: a newer client may know values that this service does not.
    const cases: [field: string, call: () => Promise<unknown>][] = [
      ["account", () => accounts.createAccount({})],
      ["company_id", () => accounts.createAccount({ account: {} })],
      ["company_id", () => accounts.createAccount({ account: { companyId: "a\u0007b" } })],
      ["company_id", () => accounts.createAccount({ account: { companyId: "a".repeat(257) } })],
      ["company_id", () => accounts.getAccount({ companyId: "" })],
      ["company_id", () => apiKeys.listApiKeys({ companyId: "" })],
      [
        "plan_tier",
        () => accounts.createAccount({ account: { companyId, planTier: 99 as PlanTier } }),
      ],
      [
        "plan_status",
        () => accounts.updateAccount({ account: { companyId, planStatus: 99 as PlanStatus } }),
      ],
      [
        "grace_ends_at",
        () => accounts.createAccount({ account: { companyId, graceEndsAt: { seconds: 1n } } }),
      ],
      [
        "period_start",
        () =>
          accounts.updateAccount({ account: { companyId, periodStart: { seconds: 2n ** 60n } } }),
      ],
      ["page_size", () => accounts.listAccounts({ pageSize: 0 })],
      ["page_size", () => accounts.listAccounts({ pageSize: 1_001 })],
      ["page_token", () => accounts.listAccounts({ pageToken: "?" })],
      ["page_token", () => apiKeys.listApiKeys({ companyId, pageToken: "W10" })],
      ["id", () => apiKeys.revokeApiKey({ id: "svc_something" })],
    ];
    for (const [field, call] of cases) {
      expect(await failureOf(call())).toEqual({
        code: Code.InvalidArgument,
        reason: "invalid_field",
        field,
      });
    }
    await accounts.createAccount({
      account: { companyId: `${companyId}${"é".repeat(256 - companyId.length)}` },
    });
  });

  test("a message beyond the limit is refused unread", async () => {
    const { port } = await startAdmin(testContext(store.database.db));
    const accounts = createClient(AccountService, grpc(port));
    const call = accounts.getAccount({ companyId: "a".repeat(MAX_ADMIN_MESSAGE_BYTES) });
    expect((await failureOf(call)).code).toBe(Code.ResourceExhausted);
  });
});

describe("who reaches the admin service", () => {
  describe("the metrics", () => {
    /** The status of `GET /metrics` by a name that does resolve to the port. */
    async function statusBy(host: string, port: number, token?: string): Promise<number> {
      const headers = { host, ...(token !== undefined && { authorization: `Bearer ${token}` }) };
      const asked = request({ host: "127.0.0.1", port, path: "/metrics", headers, agent: false });
      const answered = once(asked, "response");
      asked.end();
      const [response] = (await answered) as [IncomingMessage];
      response.resume();
      return response.statusCode ?? 0;
    }

    test("are told to who asks this machine by its own names", async () => {
      const { port } = await startAdmin(testContext(store.database.db));
      for (const host of ["localhost", `localhost:${port}`, `127.0.0.1:${port}`, "[::1]:9090"]) {
        expect(await statusBy(host, port)).toBe(200);
      }
    });

    test("beyond loopback, whatever host name is said, only to who has the token", async () => {
      const context = testContext(store.database.db);
      const { port } = await startAdmin(context, { host: "0.0.0.0", token: TOKEN });
      for (const host of [`127.0.0.1:${port}`, "localhost", "0.0.0.0", `0.0.0.0:${port}`]) {
        expect(await statusBy(host, port)).toBe(401);
        expect(await statusBy(host, port, TOKEN)).toBe(200);
      }
    });

    test("by any other name, as a web page could have it, only to who has the token", async () => {
      const { port } = await startAdmin(testContext(store.database.db));
      const withToken = await startAdmin(testContext(store.database.db), { token: TOKEN });
      for (const host of ["evil.example", `evil.example:${port}`, "localhost.evil.example"]) {
        expect(await statusBy(host, port)).toBe(401);
        expect(await statusBy(host, port, TOKEN)).toBe(401);
        expect(await statusBy(host, withToken.port)).toBe(401);
        expect(await statusBy(host, withToken.port, TOKEN)).toBe(200);
      }
    });
  });

  test("with a token: who has it", async () => {
    const { port } = await startAdmin(testContext(store.database.db), { token: TOKEN });
    const call = (token?: string) =>
      createClient(AccountService, grpc(port, token)).listAccounts({});
    for (const token of [undefined, "", `${TOKEN}x`, TOKEN.slice(1), "another"]) {
      expect(await failureOf(call(token))).toMatchObject({
        code: Code.Unauthenticated,
        reason: "unauthenticated",
      });
    }
    await call(TOKEN);
  });

  test.each(["0.0.0.0", "::"])("without one: not from another machine (%s)", async (host) => {
    const context = testContext(store.database.db);
    await expect(
      startAdminListener({
        host,
        port: 0,
        token: null,
        tls: null,
        context,
        readiness: async () => null,
        backups: new Backups(null),
        accountIndexes: context.accountIndexes,
        unlimitedId: null,
        issueSignInLink: null,
        metrics: createMetrics(TEST_VERSION),
        log: quietLog,
      }),
    ).rejects.toThrow(host);
    await startAdmin(context, { host, token: TOKEN });
  });

  test("with one: health and reflection of this port, and to nobody else", async () => {
    const { port, close } = await startAdmin(testContext(store.database.db), { token: TOKEN });
    const health = createClient(Health, grpc(port, TOKEN));
    const status = HealthCheckResponse_ServingStatus.SERVING;
    expect(await health.check({ service: AccountService.typeName })).toMatchObject({ status });
    async function* asked() {
      yield { messageRequest: { case: "listServices" as const, value: "" } };
    }
    const reflection = createClient(ServerReflection, grpc(port, TOKEN));
    for await (const { messageResponse } of reflection.serverReflectionInfo(asked())) {
      expect(JSON.stringify(messageResponse.value)).toContain(AccountService.typeName);
    }
    const stranger = createClient(Health, grpc(port)).check({});
    expect(await failureOf(stranger)).toMatchObject({ code: Code.Unauthenticated });
    // Who watches does not hold the end of the service up.
    const watched = health.watch({})[Symbol.asyncIterator]();
    expect((await watched.next()).value).toMatchObject({ status });
    const ended = watched.next();
    await close();
    expect(await ended).toMatchObject({ done: true });
  });

  test("without one: no web page of a browser on this machine", async () => {
    const { port } = await startAdmin(testContext(store.database.db));
    const response = await fetch(
      `http://127.0.0.1:${port}/agentmemory.admin.v1.AccountService/ListAccounts`,
      { method: "POST", headers: { "content-type": "application/json" }, body: "{}" },
    );
    expect(response.status).toBe(505);
  });
});
