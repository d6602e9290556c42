import type { Call } from "@agent-memory/gen/agentmemory/dashboard/v1/call_service_pb";
import { MemoryService } from "@agent-memory/gen/agentmemory/v1/memory_service_pb";
import { PlanService } from "@agent-memory/gen/agentmemory/v1/plan_service_pb";
import { SettingsService } from "@agent-memory/gen/agentmemory/v1/settings_service_pb";
import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import { api } from "../../api.ts";
import { goWith, hrefOf, route } from "../../route.ts";
import { endOfDay, startOfDay } from "../../ui/days.ts";
import { Check, FilterChoice, FilterField } from "../../ui/field.tsx";
import { KnownValue } from "../../ui/known-value.tsx";
import { Show, useLoad } from "../../ui/load.tsx";
import { Empty } from "../../ui/notice.tsx";
import { PageHead } from "../../ui/page-head.tsx";
import { Counted, Pager, pageTokenOfAddress } from "../../ui/pager.tsx";
import { type Column, Table } from "../../ui/table.tsx";
import { Time } from "../../ui/time.tsx";
import { type KeyNames, useKeyNames } from "../keys/key-names.ts";

/** What keys call, and what the dashboard calls models for. */
const RPCS = [MemoryService, PlanService, SettingsService]
  .flatMap(({ methods }) => methods.map(({ name }) => name))
  .concat("SearchEveryTenant")
  .map((rpc) => [rpc, callOf(rpc)] as const);
const ANY = ["", "Any"] as const;
const FIELDS = [
  ["request", "Request ID", "text"],
  ["reason", "Reason", "text"],
  ["status", "Status", "number"],
  ["ms", "At least ms", "number"],
  ["tokens", "At least tokens", "number"],
  ["from", "From", "date"],
  ["to", "To", "date"],
] as const;
const OUTCOMES = [
  ["", "All"],
  ["failed", "Refused or failed"],
  ["ok", "Answered"],
] as const;

/** Columns of the list behind the name of the call. */
export const callColumns = (names: KeyNames): readonly Column<Call>[] => [
  { name: "Time", cellOf: ({ at }) => <Time at={at} /> },
  { name: "Key", cellOf: ({ actor }) => whoOf(actor, names) },
  { name: "Tenant", cellOf: ({ tenantIds }) => <bdi>{tenantsOf(tenantIds)}</bdi> },
  {
    name: "Status",
    cellOf: ({ status, reason }) => (
      <>
        <span class={status < 400 ? "badge good" : "badge warn"}>{status}</span> {reason}
      </>
    ),
  },
  { name: "ms", cellOf: ({ totalMs }) => Math.round(totalMs).toLocaleString() },
  {
    name: "Tokens",
    cellOf: ({ inputTokens, outputTokens }) => (inputTokens + outputTokens).toLocaleString(),
  },
  { name: "Request ID", cellOf: ({ requestId }) => <code>{requestId}</code> },
];

/** The name of an RPC in words: "Query memories". */
export function callOf(rpc: string): string {
  return rpc.replace(/(?<=.)[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
}

export function whoOf(actor: string, names: KeyNames): string {
  return actor === "dashboard" ? "Dashboard" : (names.get(actor) ?? "Another key");
}

/** "" is the default tenant. */
export function tenantsOf(tenantIds: readonly string[]): string {
  return tenantIds.map((tenantId) => tenantId || "Default").join(", ") || "–";
}

/** The filters of an address, as the service takes them. */
function requestOf(query: URLSearchParams) {
  const textOf = (name: string) => query.get(name) || undefined;
  const numberOf = (name: string) => (query.has(name) ? Number(query.get(name)) : undefined);
  const [from, to, outcome] = [textOf("from"), textOf("to"), textOf("outcome")];
  return {
    request: textOf("request"),
    tenant: query.has("default") ? "" : textOf("tenant"),
    reason: textOf("reason"),
    actor: textOf("actor"),
    rpc: textOf("rpc"),
    status: numberOf("status"),
    minMs: numberOf("ms"),
    minTokens: numberOf("tokens"),
    since: from ? timestampFromMs(Date.parse(startOfDay(from))) : undefined,
    // A day has its last second too.
    before: to ? timestampFromMs(Date.parse(endOfDay(to)) + 1_000) : undefined,
    isFailure: outcome === undefined ? undefined : outcome === "failed",
    pageToken: pageTokenOfAddress(),
  };
}

/** The last calls of the account, narrowed as the address says. */
export function Log() {
  const { query } = route.value;
  const names = useKeyNames();
  const found = useLoad(
    (signal) => api.calls.listCalls(requestOf(query), { signal }),
    [query.toString()],
  );
  const keys = [ANY, ...names, ["dashboard", "Dashboard"]] as const;
  const isDefault = query.has("default");
  const columns: readonly Column<Call>[] = [
    { name: "Call", cellOf: ({ id, rpc }) => <a href={hrefOf("log", id)}>{callOf(rpc)}</a> },
    ...callColumns(names),
  ];
  return (
    <>
      <PageHead
        title="Log"
        about="The last 10,000 calls, at most 90 days old. Questions and answers are kept only where a key's settings log them."
      >
        <button type="button" onClick={found.reload}>
          Refresh
        </button>
      </PageHead>
      <search class="card filters">
        <div class="filter-row">
          <FilterChoice name="actor" label="Key" options={keys} />
          <FilterChoice name="rpc" label="Call" options={[ANY, ...RPCS]} />
          <FilterChoice name="outcome" label="Outcome" options={OUTCOMES} />
          <KnownValue
            label="Tenant"
            field="tenant_id"
            value={query.get("tenant") ?? ""}
            placeholder="Any"
            onChange={(tenant) => goWith({ tenant, default: "" })}
          />
          {FIELDS.map(([name, label, type]) => (
            <FilterField key={name} {...{ name, label, type }} />
          ))}
        </div>
        <Check
          checked={isDefault}
          onToggle={() => goWith({ tenant: "", default: isDefault ? "" : "yes" })}
        >
          Only the default tenant
        </Check>
      </search>
      <Show of={found}>
        {({ calls, totalCount, nextPageToken }) =>
          calls.length === 0 ? (
            <Empty title="No such call">
              <p>A call is here within seconds of its end.</p>
            </Empty>
          ) : (
            <>
              <Counted shown={calls.length} total={totalCount} what="calls" />
              <Table rows={calls} columns={columns} keyOf={({ id }) => id} />
              <Pager nextPageToken={nextPageToken} label="Pages of calls" />
            </>
          )
        }
      </Show>
    </>
  );
}
