import type {
  CitedAnswer,
  RetrievedMemory,
} from "@agent-memory/gen/agentmemory/v1/memory_service_pb";
import { useEffect, useRef, useState } from "preact/hooks";
import { api, isUnreached, sentenceOf } from "../../api.ts";
import { go, hrefOf, route } from "../../route.ts";
import { isAway } from "../../session.ts";
import { TextField } from "../../ui/field.tsx";
import { Empty, Failed } from "../../ui/notice.tsx";
import { PageHead } from "../../ui/page-head.tsx";
import { useTitle } from "../../ui/title.ts";
import { Filters } from "../memories/filters.tsx";
import {
  type MemoryFilters,
  queryOf,
  questionOf,
  readFilters,
} from "../memories/memory-filters.ts";
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
  /** Whether the service was not reached: it is asked again once it is. */
  readonly isCut: boolean;
}

const BEGUN: Progress = { memories: [], text: "", answer: null, problem: null, isCut: false };
/** Answers of this visit, by what was asked: whoever comes back to one waits for no other. */
const answers = new Map<string, Progress>();

/** What the address asks. */
type Asked = MemoryFilters & { readonly question: string };

/** The question of the address, and its answer as it comes, with what it stands on. */
export function Ask() {
  const { query } = route.value;
  const asked = { ...readFilters(query), question: query.get("question") ?? "" };
  const key = JSON.stringify(asked);
  const [draft, setDraft] = useState(asked);
  const [times, setTimes] = useState(0);
  const [progress, setProgress] = useState<Progress | null>(null);
  const running = useRef<AbortController>(null);
  const isRunning = progress !== null && progress.answer === null && progress.problem === null;
  const { question } = draft;
  useTitle(asked.question || null);

  useEffect(() => {
    setDraft(asked);
    setProgress(answers.get(key) ?? null);
    if (asked.question === "" || answers.has(key)) return;
    const left = new AbortController();
    running.current = left;
    follow(asked, left.signal, (now) => {
      if (left.signal.aborted) return;
      if (now.answer !== null) answers.set(key, now);
      setProgress(now);
    });
    return () => left.abort();
  }, [key, times]);
  const again = () => setTimes((before) => before + 1);
  const mayGoOn = progress?.isCut && !isAway.value;
  useEffect(() => {
    if (mayGoOn) again();
  }, [mayGoOn]);

  const ask = (event: Event) => {
    event.preventDefault();
    answers.delete(JSON.stringify(draft));
    if (JSON.stringify(draft) === key) again();
    else go(hrefOf("ask", null, queryOf(draft)));
  };

  return (
    <>
      <PageHead title="Ask" about="What an agent would be answered, and from which memories." />
      <form class="card" onSubmit={ask}>
        <Filters
          filters={draft}
          more={["source", "session", "metadata", "limit", "after", "before", "knownAt"]}
          onChange={(changed) => setDraft({ ...draft, ...changed })}
        >
          <TextField
            label="Question"
            value={question}
            required
            placeholder="Where does Alice live?"
            onText={(text) => setDraft({ ...draft, question: text })}
          />
        </Filters>
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
        <Answer progress={progress} isRunning={isRunning} onAgain={again} />
      )}
    </>
  );
}

/** Asks, and tells how far the answer has come, until it is there or has failed. */
async function follow(
  { question, ...filters }: Asked,
  signal: AbortSignal,
  tell: (progress: Progress) => void,
): Promise<void> {
  let progress = BEGUN;
  const update = (change: Partial<Progress>) => {
    progress = { ...progress, ...change };
    tell(progress);
  };
  update({});
  const request = { ...questionOf(filters), question };
  try {
    for await (const { event } of api.memories.streamQueryMemories(request, { signal })) {
      if (event.case === "memories") update({ memories: event.value.memories });
      if (event.case === "text") update({ text: progress.text + event.value.text });
      if (event.case === "answer") update({ answer: event.value });
    }
  } catch (error) {
    const isCut = isUnreached(error);
    if (isCut && !signal.aborted) isAway.value = true;
    update({ problem: sentenceOf(error), isCut });
  }
}

interface AnswerProps {
  readonly progress: Progress;
  readonly isRunning: boolean;
  readonly onAgain: () => void;
}

function Answer({ progress, isRunning, onAgain }: AnswerProps) {
  const { memories, text, answer, problem } = progress;
  return (
    <div class="columns">
      <section class="card" aria-label="Answer" aria-busy={isRunning} aria-live="polite">
        <h2>Answer</h2>
        {problem !== null && !progress.isCut && (
          <Failed>
            {problem}{" "}
            <button type="button" onClick={onAgain}>
              Try again
            </button>
          </Failed>
        )}
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
