import type { AuditEvent } from "@agent-memory/gen/agentmemory/v1/memory_service_pb";
import { hrefOf } from "../../route.ts";
import { Time } from "../../ui/time.tsx";
import { detailOf } from "./event-detail.ts";

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

interface HistoryProps {
  readonly history: readonly AuditEvent[];
  /** The names of the keys, by their IDs. */
  readonly keyNames: ReadonlyMap<string, string>;
}

/** All that happened to a memory, in order. */
export function History({ history, keyNames }: HistoryProps) {
  return (
    <section class="card" aria-label="History">
      <h2>History</h2>
      <ol class="history">
        {history.map((event, index) => (
          <HistoryEvent key={index} event={event} by={nameOf(event.actor, keyNames)} />
        ))}
      </ol>
    </section>
  );
}

/** An actor that is neither one of these words nor a key is a session. */
function nameOf(actor: string, keyNames: ReadonlyMap<string, string>): string {
  if (["classifier", "operator", "retention"].includes(actor)) return `the ${actor}`;
  const name = keyNames.get(actor);
  return name === undefined ? "the dashboard" : `the key ${name}`;
}

interface HistoryEventProps {
  readonly event: AuditEvent;
  readonly by: string;
}

function HistoryEvent({ event: { event, at, detail }, by }: HistoryEventProps) {
  const { supersededBy, confidence, reason, applied } = detailOf(detail);
  return (
    <li>
      <p>
        <strong>{EVENTS[event] ?? event}</strong>{" "}
        {supersededBy !== null && (
          <>
            by <a href={hrefOf("memories", supersededBy)}>another memory</a>{" "}
          </>
        )}
        {applied === false && <span class="badge">shadow mode</span>}
      </p>
      {reason !== null && (
        <p>
          <span class="reason">{reason}</span>
          {confidence !== null && (
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
