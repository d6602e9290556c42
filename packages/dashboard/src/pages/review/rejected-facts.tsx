import type { RejectedFact } from "@agent-memory/gen/agentmemory/dashboard/v1/review_service_pb";
import type { Memory } from "@agent-memory/gen/agentmemory/v1/memory_pb";
import { useState } from "preact/hooks";
import { api } from "../../api.ts";
import { hrefOf } from "../../route.ts";
import { Pager, pageTokenOfAddress } from "../../ui/list.tsx";
import { Show, useLoad, useWork } from "../../ui/load.tsx";
import { Button, Empty } from "../../ui/page.tsx";
import { Marked, Time } from "../../ui/value.tsx";

/** Facts that were rejected in conversations, to store all the same or to dismiss. */
export function RejectedFacts() {
  const [stored, setStored] = useState<Pick<Memory, "id" | "decision"> | null>(null);
  const pageToken = pageTokenOfAddress();
  const rejected = useLoad(
    (signal) => api.review.listRejectedFacts({ pageToken }, { signal }),
    [pageToken],
  );
  return (
    <div class="loaded">
      <div class="rejected-head">
        <p class="hint">
          What conversations stated and the check did not believe, what was not read, and
          retractions that ended nothing. The last 500 are kept. To store one counts as one write.
        </p>
        <div role="status">
          {stored !== null && (
            <p class="notice">
              Stored: <a href={hrefOf("memories", stored.id)}>{stored.decision}</a>
            </p>
          )}
        </div>
      </div>
      <Show of={rejected}>
        {({ rejectedFacts: found, nextPageToken }) => (
          <>
            {found.length === 0 ? (
              <Empty title="Nothing was rejected">
                Send a conversation with <code>messages</code>: what of it is stated and not
                believed then comes here, with the message and the reason.
              </Empty>
            ) : (
              <ol class="decisions">
                {found.map((each) => (
                  <RejectedCard
                    key={each.id}
                    rejected={each}
                    onStored={setStored}
                    onChange={rejected.reload}
                  />
                ))}
              </ol>
            )}
            <Pager nextPageToken={nextPageToken} label="Pages of what was rejected" />
          </>
        )}
      </Show>
    </div>
  );
}

/** The words of `rejected` in the response of a write, as sentences. */
const REASONS: Readonly<Record<string, string>> = {
  unsupported_language: "The local models do not read the language of all of the message.",
  unread: "The message was not read to its end.",
  refused: "The model refused to read the message.",
  unreadable: "The model stated nothing that can be read.",
  quote: "No user wrote the words that it quotes.",
  dates: "It has a date that its message does not have.",
  numbers: "It has a number that its message does not have.",
  names: "It has a name that its message does not have.",
  words: "It says what its message does not say.",
  negation: "One of the two says “not”, the other does not.",
  modality: "Its message only wishes, plans, supposes or asks it, or tells of the past.",
  subject: "Its message says it of somebody else.",
  instruction: "It speaks to a model, or is of a text that was given to work on.",
  limit: "There were too many facts before it.",
  disabled: "Automatic supersession is off.",
  excluded_category: "It is of an excluded category.",
  no_candidates: "No memory says it.",
  not_superseding: "The classifier found no memory that it supersedes.",
  below_min_confidence: "The classifier was not sure enough.",
  classifier_unavailable: "The classifier did not answer.",
};

interface RejectedCardProps {
  readonly rejected: RejectedFact;
  readonly onStored: (stored: Pick<Memory, "id" | "decision">) => void;
  readonly onChange: () => void;
}

function RejectedCard({ rejected, onStored, onChange }: RejectedCardProps) {
  const { isBusy, run, notice } = useWork();
  const { id, fact, isFactCut, isRetraction, reason, message } = rejected;
  const { messageIndex, sessionId, tenantId, source } = rejected;
  const origin = [
    messageIndex === undefined ? "A conversation" : `Message ${messageIndex + 1}`,
    ...(sessionId === undefined ? [] : [`session ${sessionId}`]),
    tenantId === undefined ? "no tenant" : `tenant ${tenantId}`,
    `source ${source}`,
  ];
  const dismiss = () => api.review.dismissRejectedFact({ id }).then(onChange);
  const unstored = fact === undefined ? "Not read in full" : "Not stored";
  const isStorable = fact !== undefined && !isFactCut && !isRetraction;
  return (
    <li class="card decision">
      <p class="facts">
        <span class="badge warn">{isRetraction ? "Retraction" : unstored}</span>
        <span class="hint">
          <Time at={rejected.rejectedAt} />
        </span>
      </p>
      {fact !== undefined && (
        <p class="rejected" dir="auto">
          {fact}
        </p>
      )}
      <p>{REASONS[reason] ?? reason}</p>
      {message !== undefined && <Marked text={message} fact={fact ?? ""} />}
      <p class="hint">{origin.join(", ")}</p>
      {notice}
      <div class="buttons">
        <Button disabled={isBusy} onClick={() => run(dismiss)}>
          Dismiss
        </Button>
        {isStorable && (
          <Button
            look="primary"
            disabled={isBusy}
            onClick={() => run(() => store(rejected, fact).then(onStored).then(dismiss))}
          >
            Store it anyway
          </Button>
        )}
      </div>
    </li>
  );
}

/** A write like any other, with the fields of its conversation. A second press writes nothing. */
async function store(rejected: RejectedFact, fact: string) {
  const { id, tenantId, sessionId, source, metadata, saidAt: validFrom } = rejected;
  const { result } = await api.memories.createMemories(
    { content: fact, tenantId, sessionId, source, metadata, validFrom },
    { headers: { "idempotency-key": `rejected-fact-${id}` } },
  );
  if (result.case !== "content") throw new Error("a content write answers with one memory");
  return { id: result.value.memoryId, decision: fact };
}
