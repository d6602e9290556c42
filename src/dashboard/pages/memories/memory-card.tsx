import type { Memory } from "../../../../gen/agentmemory/v1/memory_pb.ts";
import { hrefOf } from "../../route.ts";
import { State } from "../../ui/state.tsx";
import { Time } from "../../ui/time.tsx";

/** One memory in a list. */
export function MemoryCard({ memory }: { readonly memory: Memory }) {
  const { id, decision, topic, source, validFrom, validTo } = memory;
  return (
    <li class="memory">
      <a href={hrefOf("memories", id)}>{decision}</a>
      <p class="hint">
        <State memory={memory} />
        <span>{topic}</span>
        <span>{source}</span>
        <span>
          <Time at={validFrom} withDayAlone />
          {validTo !== undefined && (
            <>
              {" to "}
              <Time at={validTo} withDayAlone />
            </>
          )}
        </span>
      </p>
    </li>
  );
}
