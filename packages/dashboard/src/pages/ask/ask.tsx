import type {
  CitedAnswer,
  RetrievedMemory,
} from "@agent-memory/gen/agentmemory/v1/memory_service_pb";
import { useRef, useState } from "preact/hooks";
import { api, sentenceOf } from "../../api.ts";
import { AsOf } from "../../ui/as-of.tsx";
import { Field } from "../../ui/field.tsx";
import { KnownValue } from "../../ui/known-value.tsx";
import { Empty, Failed } from "../../ui/notice.tsx";
import { momentOf } from "../memories/memory-filters.ts";
import { AnswerText } from "./answer-text.tsx";
import { Retrieved } from "./retrieved.tsx";

/** The part of an answer that has arrived. */
interface Progress {
  readonly memories: readonly RetrievedMemory[];
  /** As it comes, with its markers. */
  readonly text: string;
  /** null: it is still coming. */
  readonly answer: CitedAnswer | null;
  readonly problem: string | null;
}

const BEGUN: Progress = { memories: [], text: "", answer: null, problem: null };

/** A question, and its answer as it comes, with what it stands on. */
export function Ask() {
  const [question, setQuestion] = useState("");
  const [tenant, setTenant] = useState("");
  const [asOf, setAsOf] = useState("");
  const [progress, setProgress] = useState<Progress | null>(null);
  const running = useRef<AbortController>(null);
  const isRunning = progress !== null && progress.answer === null && progress.problem === null;

  const ask = async (event: Event) => {
    event.preventDefault();
    running.current?.abort();
    const left = new AbortController();
    running.current = left;
    setProgress(BEGUN);
    const update = (change: (before: Progress) => Partial<Progress>) =>
      left.signal.aborted ||
      setProgress((before) => ({ ...(before ?? BEGUN), ...change(before ?? BEGUN) }));
    const request = { question, tenantId: tenant || undefined, asOf: momentOf(asOf) };
    try {
      const stream = api.memories.streamQueryMemories(request, { signal: left.signal });
      for await (const { event } of stream) {
        if (event.case === "memories") update(() => ({ memories: event.value.memories }));
        if (event.case === "text") update(({ text }) => ({ text: text + event.value.text }));
        if (event.case === "answer") update(() => ({ answer: event.value }));
      }
    } catch (error) {
      update(() => ({ problem: sentenceOf(error) }));
    }
  };

  return (
    <>
      <header class="page-head">
        <div>
          <h1>Ask</h1>
          <p>What an agent would be answered, and from which memories.</p>
        </div>
      </header>
      <form class="card" onSubmit={ask}>
        <Field label="Question">
          {(control) => (
            <input
              {...control}
              value={question}
              required
              placeholder="Where does Alice live?"
              onInput={({ currentTarget }) => setQuestion(currentTarget.value)}
            />
          )}
        </Field>
        <div class="ask-row">
          <Field label="Tenant">
            {(control) => (
              <KnownValue
                {...control}
                label="Tenant"
                field="tenant_id"
                tenant=""
                value={tenant}
                placeholder="Default"
                onChange={setTenant}
              />
            )}
          </Field>
          <AsOf asOf={asOf} onChange={setAsOf} />
        </div>
        <div class="buttons">
          {isRunning && (
            <button
              type="button"
              onClick={() => {
                running.current?.abort();
                setProgress(null);
              }}
            >
              Stop
            </button>
          )}
          <button type="submit" class="primary">
            Ask
          </button>
        </div>
      </form>
      {progress === null ? (
        <Empty title="Nothing asked yet">
          <p>Every sentence of an answer names the memories that it stands on.</p>
        </Empty>
      ) : (
        <Answer progress={progress} isRunning={isRunning} />
      )}
    </>
  );
}

function Answer({ progress, isRunning }: { progress: Progress; isRunning: boolean }) {
  const { memories, text, answer, problem } = progress;
  return (
    <div class="columns">
      <section class="card" aria-label="Answer" aria-busy={isRunning} aria-live="polite">
        <h2>Answer</h2>
        {problem !== null && <Failed>{problem}</Failed>}
        <AnswerText
          text={answer?.answerWithCitations ?? text}
          citations={answer?.citations ?? []}
          isComing={isRunning}
        />
        {answer?.grounded === false && (
          <p class="hint">Not every sentence names a memory: read it with care.</p>
        )}
      </section>
      {(memories.length > 0 || answer !== null) && (
        <Retrieved memories={memories} citations={answer?.citations ?? []} />
      )}
    </div>
  );
}
