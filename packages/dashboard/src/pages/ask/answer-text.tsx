import type { Citation } from "@agent-memory/gen/agentmemory/v1/memory_service_pb";
import { hrefOf } from "../../route.ts";

const MARKER = /\[mem-(\d+)\]/;

interface AnswerTextProps {
  readonly text: string;
  /** Empty until the whole answer is there. */
  readonly citations: readonly Citation[];
  readonly isComing: boolean;
}

/** An answer whose markers lead to the memories that they cite. */
export function AnswerText({ text, citations, isComing }: AnswerTextProps) {
  // Texts and the numbers between them, in turn.
  const parts = text.split(MARKER);
  return (
    <p class="answer" dir="auto">
      {parts.map((part, index) => {
        if (index % 2 === 0) return part;
        const cited = citations.find((citation) => citation.index === Number(part));
        if (cited === undefined) return <span class="marker">{part}</span>;
        return (
          <a
            class="marker"
            href={hrefOf("memories", cited.memoryId)}
            title={cited.decision}
            aria-label={`Memory ${part}: ${cited.decision}`}
          >
            {part}
          </a>
        );
      })}
      {isComing && <span class="coming">…</span>}
    </p>
  );
}
