import type { AuditEvent } from "../../../../gen/agentmemory/v1/memory_service_pb.ts";
import { hrefOf } from "../../route.ts";
import { Time } from "../../ui/time.tsx";
import { detailOf } from "./event-detail.ts";

const EVENTS: Readonly<Record<string, string>> = {
  created: "Stored",
  classified: "Compared with what was believed",
  superseded: "Superseded",
  restored: "Restored",
  trimmed: "Its end was moved, for what came after",
  retracted: "Taken back in a conversation",
};

/** All that happened to a memory, in order. */
export function History({ history }: { readonly history: readonly AuditEvent[] }) {
  return (
    <section class="card" aria-label="History">
      <h2>History</h2>
      <ol class="history">
        {history.map((event, index) => (
          <HistoryEvent key={index} event={event} />
        ))}
      </ol>
    </section>
  );
}

function HistoryEvent({ event: { event, at, actor, detail } }: { readonly event: AuditEvent }) {
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
        {applied === false && <span class="badge">only watched</span>}
      </p>
      {reason !== null && (
        <p>
          “{reason}”
          {confidence !== null && (
            <span class="hint"> with a confidence of {confidence.toFixed(2)}</span>
          )}
        </p>
      )}
      <p class="hint">
        <Time at={at} /> by {actor === "classifier" ? "the classifier" : "a key or the dashboard"}
      </p>
    </li>
  );
}
