import type { Call } from "@agent-memory/gen/agentmemory/dashboard/v1/call_service_pb";
import { MemoryService } from "@agent-memory/gen/agentmemory/v1/memory_service_pb";
import { PlanService } from "@agent-memory/gen/agentmemory/v1/plan_service_pb";
import { SettingsService } from "@agent-memory/gen/agentmemory/v1/settings_service_pb";
import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import type { ComponentChildren } from "preact";
import { api } from "../../api.ts";
import { goWith, hrefOf, route } from "../../route.ts";
import { Check, FilterChoice, FilterField, KnownValue } from "../../ui/field.tsx";
import { type Column, Counted, Pager, pageTokenOfAddress, Table } from "../../ui/list.tsx";
import { Show, useLoad } from "../../ui/load.tsx";
import { Button, Empty, PageHead, Trail, useTitle } from "../../ui/page.tsx";
import { endOfDay, Pairs, startOfDay, Time } from "../../ui/value.tsx";
import { type KeyNames, useKeyNames } from "../keys/key-names.ts";

/** What keys call, and what the dashboard calls models for. */
const RPCS = [MemoryService, PlanService, SettingsService]
  .flatMap(({ methods }) => methods.map(({ name }) => name))
  .concat("SearchEveryTenant", "none");
const ANY = { "": "Any" };
const CALLS = { ...ANY, ...Object.fromEntries(RPCS.map((rpc) => [rpc, callOf(rpc)])) };
const FIELDS = [
  ["request", "Request ID", "text"],
  ["reason", "Reason", "text"],
  ["status", "Status", "number"],
  ["ms", "At least ms", "number"],
  ["tokens", "At least tokens", "number"],
  ["from", "From", "date"],
  ["to", "To", "date"],
] as const;
const OUTCOMES = { "": "All", failed: "Refused or failed", ok: "Answered" };

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

/** The name of an RPC in words: "Query memories"; `none`: none was called. */
export function callOf(rpc: string): string {
  if (rpc === "none") return "Other, such as MCP's handshake";
  return rpc.replace(/(?<=.)[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
}

export function whoOf(actor: string, names: KeyNames): string {
  return actor === "dashboard" ? "Dashboard" : (names.get(actor) ?? "Another key");
}

/** "" is the default tenant. */
export function tenantsOf(tenantIds: readonly string[]): string {
  return tenantIds.map((tenantId) => tenantId || "Default").join(", ") || "–";
}

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

export function Log() {
  const { query } = route.value;
  const names = useKeyNames();
  const found = useLoad(
    (signal) => api.calls.listCalls(requestOf(query), { signal }),
    [query.toString()],
  );
  const keys = { ...ANY, ...Object.fromEntries(names), dashboard: "Dashboard" };
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
        <Button onClick={found.reload}>Refresh</Button>
      </PageHead>
      <search class="card filters">
        <div class="filter-row">
          <FilterChoice name="actor" label="Key" options={keys} />
          <FilterChoice name="rpc" label="Call" options={CALLS} />
          <FilterChoice name="outcome" label="Outcome" options={OUTCOMES} />
          <KnownValue
            label="Tenant"
            field="tenant_id"
            value={query.get("tenant") ?? ""}
            placeholder="Any"
            onEntered={(tenant) => goWith({ tenant, default: "" })}
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
            <Empty title="No such call">A call is here within seconds of its end.</Empty>
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

/** What is told of a call beside what the list has. */
const MORE: readonly Column<Call>[] = [
  { name: "Memories stored", cellOf: ({ savedCount }) => savedCount.toLocaleString() },
  { name: "Calls of models", cellOf: ({ modelCalls }) => modelCalls.toLocaleString() },
  { name: "Tokens read", cellOf: ({ inputTokens }) => inputTokens.toLocaleString() },
  { name: "Tokens written", cellOf: ({ outputTokens }) => outputTokens.toLocaleString() },
];

export function OneCall({ id }: { readonly id: string }) {
  const found = useLoad((signal) => api.calls.getCall({ id }, { signal }), [id]);
  const call = found.value?.call;
  const title = call === undefined ? "Call" : callOf(call.rpc);
  useTitle(title);
  const columns = [...callColumns(useKeyNames()), ...MORE];
  return (
    <>
      <PageHead title={title} trail={<Trail href={hrefOf("log")} label="Log" />} />
      <Show of={found}>
        {({ written, replaced, rejected, question, answer }) =>
          call === undefined ? (
            <Empty title="The log does not have this call">
              It is too old, or belongs to another account.
            </Empty>
          ) : (
            <>
              <section class="card" aria-label="Call">
                <Pairs of={columns.map(({ name, cellOf }) => [name, cellOf(call)])} />
              </section>
              {question !== undefined && (
                <section class="card" aria-label="Question">
                  <h2 dir="auto">{question}</h2>
                  <p dir="auto">{answer ?? "There is no answer."}</p>
                </section>
              )}
              {itemsOf("Said", [
                ...new Set(written.map((of) => of.sourceCitation?.originalMessage)),
              ])}
              {itemsOf("Extracted", written.map(linkOf))}
              {itemsOf("Replaced", replaced.map(linkOf))}
              {itemsOf(
                "Rejected",
                rejected.map(({ fact, message, reason }) => `${fact ?? message} (${reason})`),
              )}
            </>
          )
        }
      </Show>
    </>
  );
}

const linkOf = ({ id, decision }: { readonly id: string; readonly decision: string }) => (
  <a href={hrefOf("memories", id)}>{decision}</a>
);

function itemsOf(title: string, items: readonly ComponentChildren[]) {
  if (items.length === 0) return null;
  return (
    <section class="card" aria-label={title}>
      <h2>{title}</h2>
      <ul>
        {items.map((item, at) => (
          <li key={at} dir="auto">
            {item}
          </li>
        ))}
      </ul>
    </section>
  );
}
