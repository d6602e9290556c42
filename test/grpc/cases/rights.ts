import { expect } from "vitest";
import { RIGHTS, type Right } from "../../../src/domain/api-key.ts";
import { type ApiRequest, type Rpc, STREAM_RPCS, type StreamRpc } from "../clients/api-client.ts";
import type { Api, ExpectedFailure, Scenario } from "../scenario.ts";

interface Row {
  readonly rpc: Rpc | StreamRpc;
  /** null: every key may call it. */
  readonly right: Right | null;
  readonly request: (to: Target) => ApiRequest;
  /** Where it holds a tenant in another field than `tenant_id`; null: it names neither tenant nor memory. */
  readonly scope?: "memory_id" | null;
  /** It is let through, and refused for this. */
  readonly otherwise?: "not_restorable";
}

interface Target {
  readonly tenant_id?: string;
  readonly memory_id: string;
  /** An export of the tenant. */
  readonly lines: readonly object[];
}

const scoped = ({ tenant_id }: Target) => (tenant_id === undefined ? {} : { tenant_id });
const ofMemory = ({ memory_id }: Target) => ({ memory_id });
const asked = (to: Target) => ({ ...scoped(to), question: "What holds?" });
const END = "2030-01-01T00:00:00Z";

/** Every RPC that takes a key, with the right that it takes. What erases comes last. */
export const RIGHTS_OF_RPCS: readonly Row[] = [
  { rpc: "CreateMemories", right: "write", request: (to) => ({ ...scoped(to), content: "New" }) },
  {
    rpc: "BatchCreateMemories",
    right: "write",
    request: (to) => ({
      memories: [
        { content: "Allowed", tenant_id: "own" },
        { ...scoped(to), content: "Newer" },
      ],
    }),
  },
  { rpc: "ListMemories", right: "read", request: scoped },
  { rpc: "QueryMemories", right: "read", request: asked },
  { rpc: "StreamQueryMemories", right: "read", request: asked },
  { rpc: "SearchMemories", right: "read", request: asked },
  { rpc: "GetContext", right: "read", request: asked },
  { rpc: "GetProfile", right: "read", request: scoped },
  { rpc: "ExportMemories", right: "read", request: scoped },
  { rpc: "GetMemory", right: "read", request: ofMemory, scope: "memory_id" },
  { rpc: "GetMemoryTimeline", right: "read", request: ofMemory, scope: "memory_id" },
  { rpc: "GetMemoryAudit", right: "read", request: ofMemory, scope: "memory_id" },
  { rpc: "ImportMemories", right: "import", request: ({ lines }) => ({ lines }) },
  {
    rpc: "SupersedeMemory",
    right: "write",
    request: (to) => ({ ...ofMemory(to), valid_to: END }),
    scope: "memory_id",
  },
  {
    rpc: "RestoreMemory",
    right: "write",
    request: ofMemory,
    scope: "memory_id",
    otherwise: "not_restorable",
  },
  { rpc: "GetSettings", right: "read", request: () => ({}), scope: null },
  {
    rpc: "UpdateSettings",
    right: "write",
    request: () => ({ min_confidence: 0.9 }),
    scope: null,
  },
  { rpc: "GetPlanStatus", right: null, request: () => ({}), scope: null },
  { rpc: "DeleteMemories", right: "delete", request: scoped },
];

const isStream = (rpc: Rpc | StreamRpc): rpc is StreamRpc =>
  (STREAM_RPCS as readonly string[]).includes(rpc);

async function passes(api: Api, { rpc, request, otherwise }: Row, to: Target, key: string) {
  if (isStream(rpc)) return api.streams(rpc, request(to), { key });
  if (otherwise === undefined) return api.ok(rpc, request(to), { key });
  return api.fails({ reason: otherwise }, rpc, request(to), { key });
}

async function isRefused(
  api: Api,
  { rpc, request }: Row,
  to: Target,
  key: string,
  expected: Omit<ExpectedFailure, "reason">,
) {
  const failure = { ...expected, reason: "not_permitted" } as const;
  if (!isStream(rpc)) return (await api.fails(failure, rpc, request(to), { key })).detail;
  expect(await api.breaksOff(failure, rpc, request(to), { key })).toEqual([]);
  return null;
}

/** A memory of a tenant, and what an export of it has. */
async function target(api: Api, tenant: { readonly tenant_id?: string }): Promise<Target> {
  const { memory_id } = await api.ok("CreateMemories", { ...tenant, content: "It holds" });
  const lines = (await api.streams("ExportMemories", tenant)).map(({ data }) => data);
  return { ...tenant, memory_id, lines };
}

export const RIGHTS_OF_KEYS: readonly Scenario[] = [
  {
    name: "D48: each RPC takes the right of its row, and no other",
    failures: ["not_permitted", "not_restorable"],
    async run(api) {
      const to = await target(api, { tenant_id: "own" });
      const { companyId } = api.account;
      const keys = new Map<Right, string>();
      for (const right of RIGHTS) {
        const { key } = await api.service.createKey(companyId, { rights: [right] });
        keys.set(right, key);
      }
      for (const row of RIGHTS_OF_RPCS) {
        for (const [right, key] of keys) {
          if (row.right === null || row.right === right) await passes(api, row, to, key);
          else {
            const detail = await isRefused(api, row, to, key, {});
            if (detail !== null) expect(detail).toContain(`the right \`${row.right}\``);
          }
        }
      }
    },
  },
  {
    name: "D48 tenants: a key reaches its tenants alone, by name and by ID",
    failures: ["not_permitted", "not_restorable"],
    async run(api) {
      const tenants = ["own", "team-*"];
      const { key } = await api.service.createKey(api.account.companyId, { tenants });
      const none = await target(api, {});
      const others = [none, await target(api, { tenant_id: "owner" })];
      for (const row of RIGHTS_OF_RPCS) {
        if (row.scope === null) await passes(api, row, none, key);
        for (const other of row.scope === null ? [] : others) {
          const field = row.scope ?? "tenant_id";
          await isRefused(api, row, other, key, { field });
        }
      }
      const allowed = [
        await target(api, { tenant_id: "own" }),
        await target(api, { tenant_id: "team-7" }),
      ];
      for (const to of allowed) for (const row of RIGHTS_OF_RPCS) await passes(api, row, to, key);
      const [mine] = allowed;
      for (const { memory_id: superseded_by } of others) {
        const refused = { reason: "not_permitted", field: "superseded_by" } as const;
        const byOther = { memory_id: mine?.memory_id, superseded_by };
        await api.fails(refused, "SupersedeMemory", byOther, { key });
      }
      for (const { memory_id } of others) await api.ok("GetMemory", { memory_id });
      const several = { question: "What holds?", tenant_ids: ["own", "owner"] };
      const beyond = { reason: "not_permitted", field: "tenant_ids" } as const;
      await api.fails(beyond, "SearchMemories", several, { key });
      await api.fails(beyond, "GetContext", several, { key });
      await api.ok("SearchMemories", { ...several, tenant_ids: ["own", "team-7"] }, { key });
      const whole = { whole_account: true };
      const expected = { reason: "not_permitted", field: "tenant_id" } as const;
      expect(await api.breaksOff(expected, "ExportMemories", whole, { key })).toEqual([]);
    },
  },
];
