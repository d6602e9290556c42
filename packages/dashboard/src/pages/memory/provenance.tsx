import type { Memory } from "@agent-memory/gen/agentmemory/v1/memory_pb";
import type { GetMemoryAuditResponse } from "@agent-memory/gen/agentmemory/v1/memory_service_pb";
import { hrefOf } from "../../route.ts";
import { Time } from "../../ui/time.tsx";
import { markedWords } from "./marked-words.ts";

interface ProvenanceProps {
  readonly memory: Memory;
  readonly audit: GetMemoryAuditResponse;
}

/** The message that a memory comes from, with the words that it took. */
export function Provenance({ memory, audit }: ProvenanceProps) {
  const { provenance, extraction } = audit;
  if (provenance === undefined) return null;
  const { originalMessage, sessionId, capturedAt, mode } = provenance;
  return (
    <section class="card" aria-label="Provenance">
      <h2>Where it comes from</h2>
      {originalMessage !== memory.decision && (
        <blockquote dir="auto">
          {markedWords(originalMessage, memory.decision).map(({ text, isMarked }, index) =>
            isMarked ? <mark key={index}>{text}</mark> : text,
          )}
        </blockquote>
      )}
      <p class="hint">
        {mode === "messages" ? "A message of a conversation" : "Stored as written"},{" "}
        <Time at={capturedAt} />
        {sessionId !== undefined && (
          <>
            , in session{" "}
            <a href={hrefOf("memories", null, { tenant: memory.tenantId, session: sessionId })}>
              <bdi>{sessionId}</bdi>
            </a>
          </>
        )}
        {extraction !== undefined && (
          <>
            ; extracted by {extraction.provider}/{extraction.model}
          </>
        )}
      </p>
    </section>
  );
}
