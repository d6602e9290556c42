import type {
  Citation,
  CitedAnswer,
  RetrievedMemory,
} from "@agent-memory/gen/agentmemory/v1/memory_service_pb";
import type { ComponentChildren } from "preact";
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { account, api, isAway, isUnreached, sentenceOf } from "../../api.ts";
import { go, hrefOf, route } from "../../route.ts";
import { TextField } from "../../ui/field.tsx";
import { TryAgain, useAgain } from "../../ui/load.tsx";
import { Button, Empty, PageHead, useTitle } from "../../ui/page.tsx";
import {
  Filters,
  type MemoryFilters,
  queryOf,
  questionOf,
  readFilters,
} from "../memories/filters.tsx";
import { Relevance } from "../memories/memory-table.tsx";

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
account.subscribe(() => answers.clear());

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
  const { memories, text, answer, problem, isCut } = progress ?? BEGUN;
  // None until the whole answer is there.
  const citations = answer?.citations ?? [];
  const isRunning = progress !== null && answer === null && problem === null;
  useTitle(asked.question || null);

  // Before anybody can enter anything: an effect after the page is shown would undo it.
  useLayoutEffect(() => {
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
  useAgain(isCut, again);

  const stop = () => {
    running.current?.abort();
    setProgress(null);
  };
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
            value={draft.question}
            required
            placeholder="Where does Alice live?"
            onText={(text) => setDraft({ ...draft, question: text })}
          />
        </Filters>
        <div class="buttons">
          {isRunning && <Button onClick={stop}>Stop</Button>}
          <button type="submit" class="primary">
            Ask
          </button>
        </div>
      </form>
      {progress === null ? (
        <Empty title="Nothing asked yet">
          Every sentence of an answer names the memories that it stands on.
        </Empty>
      ) : (
        <div class="columns">
          <section class="card" aria-label="Answer" aria-busy={isRunning} aria-live="polite">
            <h2>Answer</h2>
            {problem !== null && !isCut && <TryAgain problem={problem} onClick={again} />}
            <div class="answer" dir="auto">
              {answerOf(answer?.answerWithCitations ?? text, citations)}
              {isRunning && <span class="coming">…</span>}
            </div>
            {answer?.grounded === false && (
              <p class="hint">Not every sentence names a memory: read it with care.</p>
            )}
          </section>
          {(memories.length > 0 || answer !== null) && (
            <Retrieved memories={memories} citations={citations} />
          )}
        </div>
      )}
    </>
  );
}

/** Asks, and tells how far the answer has come, until it is there or has failed. */
async function follow(asked: Asked, signal: AbortSignal, tell: (progress: Progress) => void) {
  let progress = BEGUN;
  const update = (change: Partial<Progress>) => {
    progress = { ...progress, ...change };
    tell(progress);
  };
  update({});
  const request = { ...questionOf(asked), question: asked.question };
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

/** What models write of Markdown within a line, and the markers of citations. */
const INLINE = /\[mem-(\d+)\]|\*\*(.+?)\*\*|`([^`]+)`|(?<![*\w])\*([^*\s][^*]*)\*(?!\w)/;
const ITEM = /^\s*(?:[-*•]|\d+[.)])\s+/;
const HEADING = /^#{1,6}\s+/;

/** An answer whose markers lead to the memories that they cite. */
function answerOf(text: string, citations: readonly Citation[]) {
  return blocksOf(text).map(({ Tag, lines }, index) => (
    <Tag key={index}>
      {Tag === "p" || Tag === "h3"
        ? inline(lines.join("\n"), citations)
        : lines.map((line, at) => <li key={at}>{inline(line, citations)}</li>)}
    </Tag>
  ));
}

/** Paragraphs, headings and lists. Text alone comes of it: what a model writes is no HTML. */
function blocksOf(text: string) {
  const blocks: { Tag: ReturnType<typeof tagOf>; lines: string[] }[] = [];
  let isOpen = false;
  for (const line of text.split("\n")) {
    const Tag = tagOf(line);
    const content = line.replace(ITEM, "").replace(HEADING, "");
    const last = blocks.at(-1);
    if (isOpen && last?.Tag === Tag && Tag !== "h3") last.lines.push(content);
    else if (line.trim() !== "") blocks.push({ Tag, lines: [content] });
    isOpen = line.trim() !== "";
  }
  return blocks;
}

function tagOf(line: string) {
  if (HEADING.test(line)) return "h3";
  if (!ITEM.test(line)) return "p";
  return /^\s*\d/.test(line) ? "ol" : "ul";
}

function inline(text: string, citations: readonly Citation[]): ComponentChildren {
  const found = INLINE.exec(text);
  if (found === null) return text;
  const [all, marker, strong, code, emphasis] = found;
  return (
    <>
      {text.slice(0, found.index)}
      {marker !== undefined && markerOf(marker, citations)}
      {strong !== undefined && <strong>{inline(strong, citations)}</strong>}
      {code !== undefined && <code>{code}</code>}
      {emphasis !== undefined && <em>{inline(emphasis, citations)}</em>}
      {inline(text.slice(found.index + all.length), citations)}
    </>
  );
}

/** The marker of a citation, counted from 1. */
function markerOf(index: string, citations: readonly Citation[]) {
  const asOf = route.value.query.get("asOf") ?? undefined;
  const cited = citations.find((citation) => citation.index === Number(index));
  if (cited === undefined) return <span class="marker">{index}</span>;
  return (
    <a
      class="marker"
      href={hrefOf("memories", cited.memoryId, { asOf })}
      title={cited.decision}
      aria-label={`Memory ${index}: ${cited.decision}`}
    >
      {index}
    </a>
  );
}

/** Below it a memory has nothing to do with a question (docs/api.md). */
export const MIN_RELEVANCE = 0.2;

type RetrievedProps = Pick<Progress, "memories"> & Pick<CitedAnswer, "citations">;

/** The memories found for a question: those that the answer cites, and the rest beside them. */
function Retrieved({ memories, citations }: RetrievedProps) {
  const indexOf = new Map(citations.map(({ memoryId, index }) => [memoryId, index]));
  const found = memories
    .map((each) => ({ ...each, index: indexOf.get(each.memory?.id ?? "") }))
    .toSorted((a, b) => (a.index ?? 0) - (b.index ?? 0) || b.relevance - a.relevance);
  const cited = found.filter(({ index }) => index !== undefined);
  const uncited = found.filter(({ index }) => index === undefined);
  const others = uncited.filter(({ relevance }) => relevance >= MIN_RELEVANCE);
  const far = uncited.filter(({ relevance }) => relevance < MIN_RELEVANCE);
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
