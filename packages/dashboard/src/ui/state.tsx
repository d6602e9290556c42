import type { Memory } from "@agent-memory/gen/agentmemory/v1/memory_pb";

/** Whether a memory is believed: in words, and by colour. */
export function State({ memory: { temporal } }: { readonly memory: Memory }) {
  if (temporal?.isCurrent) return <span class="badge good">Current</span>;
  if (temporal?.isSuperseded) return <span class="badge">Superseded</span>;
  return <span class="badge warn">{temporal?.isExpired ? "Expired" : "Ended"}</span>;
}
