import type { Call } from "@agent-memory/gen/agentmemory/dashboard/v1/call_service_pb";
import { MemoryService } from "@agent-memory/gen/agentmemory/v1/memory_service_pb";
import { PlanService } from "@agent-memory/gen/agentmemory/v1/plan_service_pb";
import { SettingsService } from "@agent-memory/gen/agentmemory/v1/settings_service_pb";
import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import type { ComponentChildren } from "preact";
import { api } from "../../api.ts";
import { goWith, hrefOf, route } from "../../route.ts";
import { endOfDay, startOfDay } from "../../ui/days.ts";
import { Choice, TextField } from "../../ui/field.tsx";
import { Show, useLoad } from "../../ui/load.tsx";
import { Empty } from "../../ui/notice.tsx";
import { Pager, pageTokenOfAddress } from "../../ui/pager.tsx";
import { Time } from "../../ui/time.tsx";
import { listKeys } from "../keys/keys.tsx";
import { nameOf } from "../keys/name.ts";

/** What keys call, and what the dashboard calls models for. */
const RPCS = [MemoryService, PlanService, SettingsService]
  .flatMap(({ methods }) => methods.map(({ name }) => name))
  .concat("SearchEveryTenant");
const FIELDS = [
  ["request", "Request ID", "text"],
  ["tenant", "Tenant", "text"],
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

export type KeyNames = ReadonlyMap<string, string>;

/** Each column of the list, which has a row for each call. */
export const COLUMNS: Readonly<Record<string, (call: Call, names: KeyNames) => ComponentChildren>> =
  {
    Time: ({ at }) => <Time at={at} />,
    Key: ({ actor }, names) => whoOf(actor, names),
    Tenant: ({ tenantIds }) => <bdi>{tenantsOf(tenantIds)}</bdi>,
    Status: ({ status, reason }) => (
      <>
        <span class={status < 400 ? "badge good" : "badge warn"}>{status}</span> {reason}
      </>
    ),
    ms: ({ totalMs }) => Math.round(totalMs).toLocaleString(),
    Tokens: ({ inputTokens, outputTokens }) => (inputTokens + outputTokens).toLocaleString(),
    "Request ID": ({ requestId }) => <code>{requestId}</code>,
  };

/** The names of the account's keys by their IDs. */
export function useKeyNames(): KeyNames {
  const keys = useLoad((signal) => listKeys(signal), []);
  return new Map(keys.value?.map((key) => [key.id, nameOf(key)]));
}

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

/** The last calls of the account, narrowed as the address says. */
export function Log() {
  const { query } = route.value;
  const names = useKeyNames();
  const textOf = (name: string) => query.get(name) || undefined;
  const numberOf = (name: string) => (query.has(name) ? Number(textOf(name)) : undefined);
  const outcome = query.get("outcome") ?? "";
  const found = useLoad(
    async (signal) => {
      const [from, to] = [textOf("from"), textOf("to")];
      const filters = {
        ...{ request: textOf("request"), tenant: textOf("tenant"), reason: textOf("reason") },
        ...{ actor: textOf("actor"), rpc: textOf("rpc"), status: numberOf("status") },
        ...{ minMs: numberOf("ms"), minTokens: numberOf("tokens") },
        since: from ? timestampFromMs(Date.parse(startOfDay(from))) : undefined,
        // A day has its last second too.
        before: to ? timestampFromMs(Date.parse(endOfDay(to)) + 1_000) : undefined,
        isFailure: outcome === "" ? undefined : outcome === "failed",
        pageToken: pageTokenOfAddress(),
      };
      return api.calls.listCalls(filters, { signal });
    },
    [query.toString()],
  );
  const change = (changed: Readonly<Record<string, string>>) =>
    goWith({ ...changed, page: undefined, n: undefined });
  const choices = [
    ["actor", "Key", [["", "Any"], ...names, ["dashboard", "Dashboard"]]],
    ["rpc", "Call", [["", "Any"], ...RPCS.map((rpc) => [rpc, callOf(rpc)] as const)]],
    ["outcome", "Outcome", OUTCOMES],
  ] as const;
  return (
    <>
      <header class="page-head">
        <div>
          <h1>Log</h1>
          <p>
            The last 10,000 calls, at most 90 days old. Questions and answers are kept only where a
            key's settings log them.
          </p>
        </div>
        <button type="button" onClick={found.reload}>
          Refresh
        </button>
      </header>
      <search class="card filters">
        <div class="filter-row">
          {choices.map(([name, label, options]) => (
            <Choice
              key={name}
              label={label}
              value={query.get(name) ?? ""}
              options={options}
              onChoose={(chosen) => change({ [name]: chosen })}
            />
          ))}
          {FIELDS.map(([name, label, type]) => (
            <TextField
              key={name}
              label={label}
              type={type}
              value={query.get(name) ?? ""}
              onEntered={(entered) => change({ [name]: entered })}
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

function CallTable({ calls, names }: { calls: readonly Call[]; names: KeyNames }) {
  return (
    <div class="table">
      <table class="stacked">
        <thead>
          <tr>
            {["Call", ...Object.keys(COLUMNS)].map((name) => (
              <th key={name} scope="col">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {calls.map((call) => (
            <tr key={call.id}>
              <th scope="row">
                <a href={hrefOf("log", call.id)}>{callOf(call.rpc)}</a>
              </th>
              {Object.entries(COLUMNS).map(([name, cellOf]) => (
                <td key={name} data-label={name}>
                  {cellOf(call, names)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
