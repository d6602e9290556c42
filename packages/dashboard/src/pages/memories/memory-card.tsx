import type { Memory } from "@agent-memory/gen/agentmemory/v1/memory_pb";
import { hrefOf, route } from "../../route.ts";
import { State } from "../../ui/state.tsx";
import { Time } from "../../ui/time.tsx";

/** One memory in a list. */
export function MemoryCard({ memory }: { readonly memory: Memory }) {
  const { id, decision, topic, source, validFrom, validTo } = memory;
  return (
    <li class="memory">
      <a dir="auto" href={hrefOf("memories", id, Object.fromEntries(route.value.query))}>
        {decision}
      </a>
      <span class="hint when">
        <Time at={validFrom} withDayAlone />
        {validTo !== undefined && (
          <>
            {" – "}
            <Time at={validTo} withDayAlone />
          </>
        )}
      </span>
      <p class="hint">
        {!memory.temporal?.isCurrent && <State memory={memory} />}
        <span>{topic}</span>
        <span>{source}</span>
      </p>
    </li>
  );
}
