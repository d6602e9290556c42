import type { Call } from "@agent-memory/gen/agentmemory/dashboard/v1/call_service_pb";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { api } from "../../api.ts";
import { goWith, hrefOf, route } from "../../route.ts";
import { endOfDay, startOfDay } from "../../ui/days.ts";
import { Choice, TextField } from "../../ui/field.tsx";
import { Show, useLoad } from "../../ui/load.tsx";
import { Empty } from "../../ui/notice.tsx";
import { Pager, pageTokenOfAddress } from "../../ui/pager.tsx";
import { Time } from "../../ui/time.tsx";

/** What is called, in words. */
export const CALLS: Readonly<Record<string, string>> = {
  CreateMemories: "Write",
  BatchCreateMemories: "Batch write",
  ImportMemories: "Import",
  ExportMemories: "Export",
  QueryMemories: "Question",
  StreamQueryMemories: "Question, streamed",
  SearchMemories: "Search",
  SearchEveryTenant: "Search of all tenants",
  GetContext: "Context",
  GetProfile: "Profile",
  ListMemories: "List",
  GetMemory: "Memory",
  GetMemoryTimeline: "Timeline",
  GetMemoryAudit: "Audit",
  SupersedeMemory: "Supersede",
  RestoreMemory: "Restore",
  DeleteMemories: "Erase",
  GetSettings: "Settings",
  UpdateSettings: "Change of settings",
  GetPlanStatus: "Plan",
};

const TEXTS = [
  ["request", "Request ID", ""],
  ["named", "Tenant", "Any"],
  ["reason", "Reason", "rate_limited"],
] as const;
const NUMBERS = [
  ["status", "Status"],
  ["ms", "At least ms"],
  ["tokens", "At least tokens"],
] as const;
const OUTCOMES = [
  ["", "All"],
  ["failed", "Refused or failed"],
  ["ok", "Answered"],
] as const;

/** Names of keys, for as many as an account mostly has. */
export async function loadKeyNames(signal: AbortSignal): Promise<ReadonlyMap<string, string>> {
  const { apiKeys } = await api.keys.listApiKeys({}, { signal });
  return new Map(apiKeys.map(({ id, name, prefix }) => [id, name || prefix]));
}

/** The last calls of the account, narrowed as the address says. */
export function Log() {
  const { query } = route.value;
  const textOf = (name: string) => query.get(name) || undefined;
  const numberOf = (name: string) => (query.has(name) ? Number(textOf(name)) : undefined);
  const dayOf = (name: string, momentOf: (day: string) => string) =>
    query.get(name) ? timestampFromDate(new Date(momentOf(query.get(name) ?? ""))) : undefined;
  const outcome = query.get("outcome") ?? "";
  const pageToken = pageTokenOfAddress();
  const keys = useLoad(loadKeyNames, []);
  const found = useLoad(
    (signal) =>
      api.calls.listCalls(
        {
          pageToken,
          ...{ request: textOf("request"), tenant: textOf("named"), reason: textOf("reason") },
          ...{ actor: textOf("actor"), rpc: textOf("rpc"), status: numberOf("status") },
          ...{ minMs: numberOf("ms"), minTokens: numberOf("tokens") },
          ...{ since: dayOf("from", startOfDay), before: dayOf("to", endOfDay) },
          isFailure: outcome === "" ? undefined : outcome === "failed",
        },
        { signal },
      ),
    [query.toString()],
  );
  const change = (changed: Readonly<Record<string, string>>) =>
    goWith({ ...changed, page: undefined, n: undefined });
  const names = keys.value ?? new Map<string, string>();
  return (
    <>
      <header class="page-head">
        <div>
          <h1>Log</h1>
          <p>The last 10,000 calls, as far as 90 days back. Texts are not in it.</p>
        </div>
        <button type="button" onClick={found.reload}>
          Refresh
        </button>
      </header>
      <search class="card filters">
        <div class="filter-row">
          {TEXTS.map(([name, label, placeholder]) => (
            <TextField
              key={name}
              label={label}
              value={query.get(name) ?? ""}
              placeholder={placeholder}
              onEntered={(text) => change({ [name]: text })}
            />
          ))}
          <Choice
            label="Key"
            value={query.get("actor") ?? ""}
            options={[["", "Any"], ...names, ["dashboard", "Dashboard"]]}
            onChoose={(actor) => change({ actor })}
          />
          <Choice
            label="Call"
            value={query.get("rpc") ?? ""}
            options={[["", "Any"], ...Object.entries(CALLS)]}
            onChoose={(rpc) => change({ rpc })}
          />
          <Choice
            label="Outcome"
            value={outcome}
            options={OUTCOMES}
            onChoose={(chosen) => change({ outcome: chosen })}
          />
          {NUMBERS.map(([name, label]) => (
            <TextField
              key={name}
              label={label}
              type="number"
              min={0}
              value={query.get(name) ?? ""}
              onEntered={(text) => change({ [name]: text })}
            />
          ))}
          {(["from", "to"] as const).map((name) => (
            <TextField
              key={name}
              label={name === "from" ? "From" : "To"}
              type="date"
              value={query.get(name) ?? ""}
              onEntered={(day) => change({ [name]: day })}
            />
          ))}
        </div>
      </search>
      <Show of={found}>
        {({ calls, totalCount, nextPageToken }) =>
          calls.length === 0 ? (
            <Empty title="No such call">
              <p>A call is here within seconds of its end.</p>
            </Empty>
          ) : (
            <>
              <p class="hint" role="status">
                {calls.length.toLocaleString()} of {totalCount.toLocaleString()} calls
              </p>
              <CallTable calls={calls} names={names} />
              <Pager nextPageToken={nextPageToken} label="Pages of calls" />
            </>
          )
        }
      </Show>
    </>
  );
}

interface CallTableProps {
  readonly calls: readonly Call[];
  readonly names: ReadonlyMap<string, string>;
}

function CallTable({ calls, names }: CallTableProps) {
  return (
    <div class="table">
      <table class="stacked">
        <thead>
          <tr>
            {["Call", "Time", "Key", "Tenant", "Status", "ms", "Tokens", "Request ID"].map(
              (name) => (
                <th key={name} scope="col">
                  {name}
                </th>
              ),
            )}
          </tr>
        </thead>
        <tbody>
          {calls.map((call) => (
            <tr key={call.id}>
              <th scope="row">
                <a href={hrefOf("log", call.id)}>{CALLS[call.rpc] ?? call.rpc}</a>
              </th>
              <td data-label="Time">
                <Time at={call.at} />
              </td>
              <td data-label="Key">{whoOf(call.actor, names)}</td>
              <td data-label="Tenant">
                <bdi>{tenantsOf(call.tenantIds)}</bdi>
              </td>
              <td data-label="Status">
                <span class={call.status < 400 ? "badge good" : "badge warn"}>{call.status}</span>{" "}
                {call.reason}
              </td>
              <td data-label="ms">{Math.round(call.totalMs).toLocaleString()}</td>
              <td data-label="Tokens">{(call.inputTokens + call.outputTokens).toLocaleString()}</td>
              <td data-label="Request ID">
                <code>{call.requestId}</code>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

export function whoOf(actor: string, names: ReadonlyMap<string, string>): string {
  return actor === "dashboard" ? "Dashboard" : (names.get(actor) ?? "Another key");
}

/** "" is the default tenant. */
export function tenantsOf(tenantIds: readonly string[]): string {
  return tenantIds.map((tenantId) => tenantId || "Default").join(", ") || "–";
}
