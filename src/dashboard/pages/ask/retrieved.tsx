import type {
  Citation,
  RetrievedMemory,
} from "../../../../gen/agentmemory/v1/memory_service_pb.ts";
import { hrefOf } from "../../route.ts";

interface RetrievedProps {
  readonly memories: readonly RetrievedMemory[];
  readonly citations: readonly Citation[];
}

/** What was found for a question: what the answer cites first, then the rest. */
export function Retrieved({ memories, citations }: RetrievedProps) {
  const indexOf = new Map(citations.map(({ memoryId, index }) => [memoryId, index]));
  const rankOf = ({ memory }: RetrievedMemory) => indexOf.get(memory?.id ?? "") ?? Infinity;
  const ordered = memories.toSorted((a, b) => rankOf(a) - rankOf(b) || b.relevance - a.relevance);
  return (
    <section class="card" aria-label="Memories found">
      <h2>{memories.length} found</h2>
      <ol class="retrieved">
        {ordered.map(({ memory, relevance }) => {
          const index = indexOf.get(memory?.id ?? "");
          return (
            <li key={memory?.id}>
              {index !== undefined && <b class="marker">{index}</b>}
              <a href={hrefOf("memories", memory?.id)}>{memory?.decision}</a>
              <span class="hint">
                {relevance.toFixed(2)} relevant{index === undefined && ", not cited"}
              </span>
            </li>
          );
        })}
      </ol>
    </section>
  );
}
