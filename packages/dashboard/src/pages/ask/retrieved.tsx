import type { Citation, RetrievedMemory } from "@agent-memory/gen/agentmemory/v1/memory_service_pb";
import { hrefOf } from "../../route.ts";
import { Relevance } from "../memories/memory-table.tsx";

/** Below it a memory has nothing to do with a question (docs/api.md). */
export const MIN_RELEVANCE = 0.2;

interface RetrievedProps {
  readonly memories: readonly RetrievedMemory[];
  readonly citations: readonly Citation[];
}

/** The memories found for a question: those that the answer cites, and the rest beside them. */
export function Retrieved({ memories, citations }: RetrievedProps) {
  const indexOf = new Map(citations.map(({ memoryId, index }) => [memoryId, index]));
  const found = memories
    .map((each) => ({ ...each, index: indexOf.get(each.memory?.id ?? "") }))
    .toSorted((a, b) => (a.index ?? 0) - (b.index ?? 0) || b.relevance - a.relevance);
  const cited = found.filter(({ index }) => index !== undefined);
  const others = found.filter(
    (each) => each.index === undefined && each.relevance >= MIN_RELEVANCE,
  );
  const far = found.filter((each) => each.index === undefined && each.relevance < MIN_RELEVANCE);
  return (
    <section class="card" aria-label="Memories found">
      {cited.length > 0 && <h2>Cited</h2>}
      <FoundList found={cited} />
      {others.length > 0 && <h2>{citations.length > 0 ? "Found, not cited" : "Found"}</h2>}
      <FoundList found={others} />
      {far.length > 0 && (
        <details>
          <summary>The nearest of the rest: {far.length}</summary>
          <FoundList found={far} />
        </details>
      )}
      {found.length === 0 && <p class="hint">No memory has to do with it.</p>}
    </section>
  );
}

type Found = Pick<RetrievedMemory, "memory" | "relevance"> & { readonly index: number | undefined };

function FoundList({ found }: { readonly found: readonly Found[] }) {
  if (found.length === 0) return null;
  return (
    <ol class="retrieved">
      {found.map(({ memory, relevance, index }) => (
        <li key={memory?.id}>
          {index !== undefined && <b class="marker">{index}</b>}
          <a dir="auto" href={hrefOf("memories", memory?.id)}>
            {memory?.decision}
          </a>
          <Relevance value={relevance} />
        </li>
      ))}
    </ol>
  );
}
