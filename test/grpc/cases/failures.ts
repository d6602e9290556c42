import { expect } from "vitest";
import { Failure, type FailureReason } from "../../../src/domain/failure.ts";
import { suspendAccount } from "../../../src/service/admin/accounts.ts";
import { revokeApiKey } from "../../../src/service/admin/api-keys.ts";
import { holdEmbedder, replaceEmbedder } from "../../support/models.ts";
import type { Api, Scenario } from "../scenario.ts";

const NO_MEMORY = "01890000-0000-7000-8000-000000000000";
const SOME_END = "2021-01-01T00:00:00Z";

async function write(api: Api, fields: object = {}): Promise<string> {
  const { memory_id } = await api.ok("CreateMemories", {
    content: "A fact",
    valid_from: "2020-01-01T00:00:00Z",
    ...fields,
  });
  return memory_id;
}

/** Sections 5, 7 and 8 */
export const FAILURES: readonly Scenario[] = [
  {
    name: "5.4: no key, a mistyped, an unknown and a revoked one",
    failures: ["unauthenticated"],
    async run(api) {
      const expected = { reason: "unauthenticated" } as const;
      const unknown = `svc_${"x".repeat(api.account.key.length - 4)}`;
      for (const key of [null, "", "svc_", "Bearer", unknown, `${api.account.key}x`]) {
        await api.fails(expected, "ListMemories", {}, { key });
      }
      const revoked = await api.service.createKey(api.account.companyId);
      await api.ok("GetPlanStatus", {}, { key: revoked.key });
      await revokeApiKey(api.service.context, api.service.context.db, revoked.apiKeyId);
      api.service.clock.advance(1_000_000n);
      await api.fails(expected, "GetPlanStatus", {}, { key: revoked.key });
      await api.fails(expected, "CreateMemories", {}, { key: null });
    },
  },
  {
    name: "4.8 rule 1, 7 status 400: supersede with neither field",
    failures: ["missing_supersession"],
    async run(api) {
      const memory_id = await write(api);
      await api.fails({ reason: "missing_supersession" }, "SupersedeMemory", { memory_id });
    },
  },
  {
    name: "4.9 errors, D14, 4.8 rule 4, 7 status 404: a memory that does not exist",
    failures: ["memory_not_found"],
    async run(api) {
      const memory_id = await write(api);
      const expected = { reason: "memory_not_found", field: "memory_id" } as const;
      const gone = { memory_id: NO_MEMORY };
      await api.fails(expected, "GetMemory", gone);
      await api.fails(expected, "GetMemoryTimeline", gone);
      await api.fails(expected, "GetMemoryAudit", gone);
      await api.fails(expected, "SupersedeMemory", { ...gone, valid_to: SOME_END });
      await api.fails({ ...expected, field: "superseded_by" }, "SupersedeMemory", {
        memory_id,
        superseded_by: NO_MEMORY,
      });
    },
  },
  {
    name: "5.5, D14, 7 status 403: a memory of another account",
    failures: ["not_owner"],
    async run(api) {
      const memory_id = await write(api);
      const other = await api.another();
      const expected = { reason: "not_owner", field: "memory_id" } as const;
      await other.fails(expected, "GetMemory", { memory_id });
      await other.fails(expected, "GetMemoryTimeline", { memory_id });
      await other.fails(expected, "GetMemoryAudit", { memory_id });
      await other.fails(expected, "SupersedeMemory", { memory_id, valid_to: SOME_END });
      await other.fails({ ...expected, field: "superseded_by" }, "SupersedeMemory", {
        memory_id: await write(other),
        superseded_by: memory_id,
      });
      expect(await api.ok("GetMemoryTimeline", { memory_id })).toMatchObject({ chain_length: 1 });
    },
  },
  {
    name: "D18: supersessions that contradict what is stored",
    failures: [
      "already_superseded",
      "supersedes_itself",
      "different_tenant",
      "supersession_cycle",
      "replacement_ended",
    ],
    async run(api) {
      const [a, b, ended, tenants] = [
        await write(api),
        await write(api),
        await write(api),
        await write(api, { tenant_id: "t" }),
      ];
      await api.ok("SupersedeMemory", { memory_id: ended, valid_to: SOME_END });
      const refused = (reason: FailureReason, memory_id: string, superseded_by: string) =>
        api.fails({ reason }, "SupersedeMemory", { memory_id, superseded_by });
      await refused("supersedes_itself", a, a);
      await refused("different_tenant", a, tenants);
      await refused("replacement_ended", a, ended);
      await api.ok("SupersedeMemory", { memory_id: a, superseded_by: b });
      await refused("supersession_cycle", b, a);
      await refused("already_superseded", a, ended);
    },
  },
  {
    name: "a supersession that the classifier did not make is not taken back",
    failures: ["not_restorable", "memory_not_found", "not_owner"],
    async run(api) {
      const memory_id = await write(api);
      await api.ok("SupersedeMemory", { memory_id, superseded_by: await write(api) });
      await api.fails({ reason: "not_restorable" }, "RestoreMemory", { memory_id });
      await api.fails({ reason: "memory_not_found" }, "RestoreMemory", { memory_id: NO_MEMORY });
      const other = await api.another();
      await other.fails({ reason: "not_owner" }, "RestoreMemory", { memory_id });
    },
  },
  {
    name: "D33: an idempotency key with another request",
    failures: ["idempotency_key_reused"],
    async run(api) {
      const idempotencyKey = "reused";
      await api.ok("CreateMemories", { content: "First" }, { idempotencyKey });
      await api.fails(
        { reason: "idempotency_key_reused" },
        "CreateMemories",
        { content: "Second" },
        { idempotencyKey },
      );
    },
  },
  {
    name: "D15 aborted, D33: an idempotency key whose first call still runs",
    failures: ["idempotency_key_in_use"],
    async run(api) {
      const held = holdEmbedder(api.service);
      const idempotencyKey = "running";
      const call = ["CreateMemories", { content: "Slow" }, { idempotencyKey }] as const;
      const first = api.account.rest("POST", "/agent/memories", {
        body: call[1],
        headers: { "idempotency-key": idempotencyKey },
      });
      await Promise.race([held.entered, first]);
      await api
        .fails({ reason: "idempotency_key_in_use", retry: true }, ...call)
        .finally(held.release);
      const { body } = await first;
      expect(await api.ok(...call)).toEqual(body);
    },
  },
  {
    name: "D33 erased: the key of a conversation that was deleted",
    failures: ["idempotency_key_erased"],
    async run(api) {
      const messages = [{ role: "user", content: "I live in Bern" }];
      const call = ["CreateMemories", { messages }, { idempotencyKey: "erased" }] as const;
      await api.ok(...call);
      await api.ok("DeleteMemories");
      await api.fails({ reason: "idempotency_key_erased" }, ...call);
      expect((await api.ok("ListMemories")).count).toBe(0);
    },
  },
  {
    name: "7 status 429: more requests than the key's rate",
    failures: ["rate_limited"],
    async run(api) {
      const slow = await api.another({ rate: 0.001, burst: 1 });
      await slow.ok("GetPlanStatus");
      await slow.fails({ reason: "rate_limited", retry: true }, "GetPlanStatus");
      await api.ok("GetPlanStatus");
    },
  },
  {
    name: "D31 suspended: a suspended account is refused everything, until that is lifted",
    failures: ["account_suspended"],
    async run(api) {
      const { companyId } = api.account;
      const memory_id = await write(api);
      await suspendAccount(api.service.context, companyId, true);
      const expected = { reason: "account_suspended" } as const;
      await api.fails(expected, "CreateMemories", { content: "A fact" });
      await api.fails(expected, "ListMemories");
      await api.fails(expected, "GetMemory", { memory_id });
      await api.fails(expected, "DeleteMemories");
      await api.fails(expected, "GetPlanStatus");
      await suspendAccount(api.service.context, companyId, false);
      expect(await api.ok("ListMemories")).toMatchObject({ count: 1 });
    },
  },
  {
    name: "D31: a canceled plan refuses writes and serves the rest",
    failures: ["plan_canceled"],
    async run(api) {
      const canceled = await api.another({ planStatus: "canceled" });
      const messages = [{ role: "user", content: "I live in Bern" }];
      await canceled.fails({ reason: "plan_canceled" }, "CreateMemories", { content: "A fact" });
      await canceled.fails({ reason: "plan_canceled" }, "CreateMemories", { messages });
      await canceled.ok("ListMemories");
      await canceled.ok("UpdateSettings", { min_confidence: 0.5 });
    },
  },
  {
    name: "3.2: past the quota writes are refused and reads served",
    failures: ["write_quota_exceeded"],
    async run(api) {
      const full = await api.another({ writesLimit: 1 });
      const memory_id = await write(full);
      const expected = { reason: "write_quota_exceeded", retry: true } as const;
      const { partial } = await full.fails(expected, "CreateMemories", { content: "More" });
      expect(partial).toBeNull();
      await full.ok("QueryMemories", { question: "What?" });
      await full.ok("SupersedeMemory", { memory_id, valid_to: SOME_END });
      expect(await full.ok("GetPlanStatus")).toMatchObject({ in_grace_period: true });
    },
  },
  {
    name: "D29: a conversation that the quota cuts short tells what was saved",
    failures: ["write_quota_exceeded"],
    async run(api) {
      const small = await api.another({ writesLimit: 1 });
      const request = {
        messages: [
          { role: "user", content: "I live in Bern." },
          { role: "user", content: "I am allergic to peanuts." },
        ],
        tenant_id: "t",
      };
      const options = { idempotencyKey: "partial" };
      const expected = { reason: "write_quota_exceeded", retry: true } as const;
      const { partial } = await small.fails(expected, "CreateMemories", request, options);
      expect(partial).toMatchObject({
        status: "extracted",
        tenant_id: "t",
        extracted_count: 2,
        saved_count: 1,
        extraction: { byo_llm: false },
      });
      expect(partial.extracted).toHaveLength(2);
      const { memories } = await small.ok("ListMemories", { tenant_id: "t" });
      expect(memories.map(({ id }: { id: string }) => id)).toEqual(partial.memory_ids);
      const again = await small.fails(expected, "CreateMemories", request, options);
      expect(again.partial).toEqual(partial);
    },
  },
  {
    name: "3.2: after grace reads are refused too, but not the plan and erasure",
    failures: ["plan_blocked"],
    async run(api) {
      const blocked = await api.another({ writesLimit: 1, graceDays: 0 });
      const memory_id = await write(blocked);
      const expected = { reason: "plan_blocked", retry: true } as const;
      await blocked.fails(expected, "CreateMemories", { content: "More" });
      await blocked.fails(expected, "ListMemories");
      await blocked.fails(expected, "QueryMemories", { question: "What?" });
      await blocked.fails(expected, "GetMemory", { memory_id });
      await blocked.fails(expected, "GetMemoryTimeline", { memory_id });
      await blocked.fails(expected, "GetMemoryAudit", { memory_id });
      await blocked.fails(expected, "SupersedeMemory", { memory_id, valid_to: SOME_END });
      await blocked.fails(expected, "RestoreMemory", { memory_id });
      await blocked.fails(expected, "GetSettings");
      await blocked.fails(expected, "UpdateSettings", {});
      expect(await blocked.ok("GetPlanStatus")).toMatchObject({ blocked: true });
      expect(await blocked.ok("DeleteMemories")).toMatchObject({ deleted_count: 1 });
    },
  },
  {
    name: "D15, D28, 7 status 503: what is out of reach is told as such, with a wait, and nothing is stored",
    failures: ["model_unavailable", "storage_unavailable", "overloaded"],
    async run(api) {
      for (const reason of ["model_unavailable", "storage_unavailable", "overloaded"] as const) {
        const restore = replaceEmbedder(api.service, async () => {
          throw new Failure(reason, "the model does not answer", { retryAfterSeconds: 3 });
        });
        const expected = { reason, retry: true };
        await api
          .fails(expected, "CreateMemories", { content: "A fact" })
          .then(({ retryAfterSeconds }) => expect(retryAfterSeconds).toBe(3))
          .finally(restore);
      }
      expect(await api.ok("GetPlanStatus")).toMatchObject({ writes_used: 0 });
    },
  },
  {
    name: "7 status 500: a defect of the service is told as one, without a word of what it was",
    failures: ["internal"],
    async run(api) {
      const restore = replaceEmbedder(api.service, async () => {
        throw new TypeError("select * from memories; /srv/secret.ts");
      });
      const { detail } = await api
        .fails({ reason: "internal" }, "QueryMemories", { question: "What?" })
        .finally(restore);
      expect(detail).not.toMatch(/select|secret|TypeError/);
    },
  },
];
