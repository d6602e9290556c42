import type { ApiKey } from "@agent-memory/gen/agentmemory/admin/v1/api_key_service_pb";
import type { AuditEvent } from "@agent-memory/gen/agentmemory/v1/memory_service_pb";
import { hrefOf } from "../../route.ts";
import { Show, useLoad } from "../../ui/load.tsx";
import { Time } from "../../ui/time.tsx";
import { listKeys, nameOf } from "../keys/key-names.ts";

const EVENTS: Readonly<Record<string, string>> = {
  created: "Stored",
  classified: "Compared with what was believed",
  superseded: "Superseded",
  restored: "Restored",
  trimmed: "Its end was moved, for what came after",
  retracted: "Retraction in a conversation",
  imported: "Imported",
  neighbour_erased: "What stood beside it was erased",
};

/** All that happened to a memory, in order. */
export function History({ history }: { readonly history: readonly AuditEvent[] }) {
  const keys = useLoad(listKeys, []);
  return (
    <section class="card" aria-label="History">
      <h2>History</h2>
      <Show of={keys}>
        {(all) => (
          <ol class="history">
            {history.map((event, index) => (
              <HistoryEvent key={index} event={event} by={whoDid(event.actor, all)} />
            ))}
          </ol>
        )}
      </Show>
    </section>
  );
}

/** An actor that is neither one of these words nor a key is a session. */
function whoDid(actor: string, keys: readonly ApiKey[]): string {
  if (["classifier", "operator", "retention"].includes(actor)) return `the ${actor}`;
  const key = keys.find(({ id }) => id === actor);
  return key === undefined ? "the dashboard" : `the key ${nameOf(key)}`;
}

interface HistoryEventProps {
  readonly event: AuditEvent;
  readonly by: string;
}

function HistoryEvent({ event: { event, at, detail = {} }, by }: HistoryEventProps) {
  // Which fields there are depends on the event.
  const { superseded_by: supersededBy, confidence, reason, applied, superseded } = detail;
  return (
    <li>
      <p>
        <strong>{EVENTS[event] ?? event}</strong>{" "}
        {typeof supersededBy === "string" && (
          <>
            by <a href={hrefOf("memories", supersededBy)}>another memory</a>{" "}
          </>
        )}
        {applied === false && superseded != null && <span class="badge">shadow mode</span>}
      </p>
      {typeof reason === "string" && reason !== "" && (
        <p>
          <span class="reason">{reason}</span>
          {typeof confidence === "number" && (
            <span class="hint"> with a confidence of {confidence.toFixed(2)}</span>
          )}
        </p>
      )}
      <p class="hint">
        <Time at={at} /> by {by}
      </p>
    </li>
  );
}
