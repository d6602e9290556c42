import type { Decision } from "@agent-memory/gen/agentmemory/dashboard/v1/review_service_pb";
import type { Memory } from "@agent-memory/gen/agentmemory/v1/memory_pb";
import { useState } from "preact/hooks";
import { api, sentenceOf } from "../../api.ts";
import { hrefOf } from "../../route.ts";
import { Show, useLoad } from "../../ui/load.tsx";
import { Empty, Failed } from "../../ui/notice.tsx";
import { Pager, pageTokenOfAddress } from "../../ui/pager.tsx";
import { Tabs } from "../../ui/tabs.tsx";
import { Time } from "../../ui/time.tsx";
import { RejectedFacts } from "./rejected-facts.tsx";

/** The page of decisions of the classifier and of rejected facts. */
export function Review() {
  return (
    <>
      <header class="page-head">
        <div>
          <h1>Review</h1>
          <p>What the classifier decided, and what of conversations was not remembered.</p>
        </div>
      </header>
      <Tabs
        label="What to review"
        param="tab"
        tabs={[
          { name: "Decisions", content: <Decisions /> },
          { name: "Rejected", content: <RejectedFacts /> },
        ]}
      />
    </>
  );
}

/** Recent decisions of the classifier, acted on or not, to accept or undo. */
function Decisions() {
  const pageToken = pageTokenOfAddress();
  const decisions = useLoad(
    (signal) => api.review.listDecisions({ pageToken }, { signal }),
    [pageToken],
  );
  return (
    <div class="loaded">
      <p class="hint">What the classifier ended, or would have ended where it only watches.</p>
      <Show of={decisions}>
        {({ decisions: found, nextPageToken }) => (
          <>
            {found.length === 0 ? (
              <NoDecisions />
            ) : (
              <ol class="decisions">
                {found.map((decision) => (
                  <DecisionCard
                    key={`${decision.memory?.id} ${decision.replacement?.id}`}
                    decision={decision}
                    onChange={decisions.reload}
                  />
                ))}
              </ol>
            )}
            <Pager nextPageToken={nextPageToken} label="Pages of decisions" />
          </>
        )}
      </Show>
    </div>
  );
}

function NoDecisions() {
  return (
    <Empty title="Nothing to review">
      <p>
        In the settings of <a href={hrefOf("keys")}>a key</a>, let new facts end old ones, or only
        watch: each decision then comes here, with its reason.
      </p>
    </Empty>
  );
}

const OUTCOMES: Readonly<Record<string, readonly [label: string, tone: string]>> = {
  applied: ["Ended", ""],
  restored: ["Restored", "warn"],
  watched: ["Only watched", "warn"],
  accepted: ["Accepted", "good"],
  settled: ["Ended otherwise", ""],
};

interface DecisionCardProps {
  readonly decision: Decision;
  readonly onChange: () => void;
}

function DecisionCard({ decision, onChange }: DecisionCardProps) {
  const [problem, setProblem] = useState<string | null>(null);
  const { at, memory, replacement, confidence, reason, outcome } = decision;
  const [label, tone] = OUTCOMES[outcome] ?? [outcome, ""];
  const attempt = (call: Promise<unknown>) =>
    call.then(onChange, (error: unknown) => setProblem(sentenceOf(error)));
  const memoryId = memory?.id ?? "";
  return (
    <li class="card decision">
      <p class="facts">
        <span class={`badge ${tone}`}>{label}</span>
        <span class="hint">
          <Time at={at} />, with a confidence of {confidence.toFixed(2)}
        </span>
      </p>
      <Believed label="Before" memory={memory} />
      <Believed label="After" memory={replacement} none="Taken back in a conversation" />
      {reason !== "" && <p class="reason">{reason}</p>}
      {problem !== null && <Failed>{problem}</Failed>}
      {outcome === "applied" && (
        <div class="buttons">
          <button type="button" onClick={() => attempt(api.memories.restoreMemory({ memoryId }))}>
            Restore
          </button>
        </div>
      )}
      {outcome === "watched" && replacement !== undefined && (
        <div class="buttons">
          <button
            type="button"
            class="primary"
            onClick={() =>
              attempt(api.memories.supersedeMemory({ memoryId, supersededBy: replacement.id }))
            }
          >
            Accept
          </button>
        </div>
      )}
    </li>
  );
}

interface BelievedProps {
  readonly label: string;
  readonly memory: Memory | undefined;
  readonly none?: string;
}

function Believed({ label, memory, none = "Deleted" }: BelievedProps) {
  return (
    <p class="believed">
      <span class="hint">{label}</span>
      {memory === undefined ? (
        <span class="none">{none}</span>
      ) : (
        <a dir="auto" href={hrefOf("memories", memory.id)}>
          {memory.decision}
        </a>
      )}
    </p>
  );
}
