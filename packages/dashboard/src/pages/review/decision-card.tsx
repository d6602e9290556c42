import type { Decision } from "@agent-memory/gen/agentmemory/dashboard/v1/review_service_pb";
import type { Memory } from "@agent-memory/gen/agentmemory/v1/memory_pb";
import { Button } from "../../ui/page.tsx";
import { MemoryLink, Time, titleOf } from "../../ui/value.tsx";

export type Verdict = "right" | "wrong";

const OUTCOMES: Readonly<Record<string, readonly [label: string, tone: string]>> = {
  applied: ["Superseded", ""],
  restored: ["Restored", "warn"],
  watched: ["Shadow mode", "warn"],
  accepted: ["Accepted", "good"],
  settled: ["Ended otherwise", ""],
};

interface DecisionCardProps {
  readonly decision: Decision;
  /** undefined: no key is known. */
  readonly keyName: string | undefined;
  /** Whether the keys are about it. */
  readonly isAtHand: boolean;
  readonly isBusy: boolean;
  readonly onFocus: () => void;
  readonly onJudge: (verdict: Verdict | undefined) => void;
}

/** A decision with the memories that it is about, and what one may say of it. */
export function DecisionCard({ decision, isAtHand, isBusy, onFocus, ...rest }: DecisionCardProps) {
  const { keyName, onJudge } = rest;
  const { at, memory, replacement, confidence, reason, outcome, verdict, isOpen } = decision;
  const [label, tone] = OUTCOMES[outcome] ?? [outcome, ""];
  const isRetraction = decision.replacement === undefined && outcome !== "settled";
  const judging = (action: string, judged: Verdict | undefined, look?: "primary") => (
    <Button look={look} disabled={isBusy} onClick={() => onJudge(judged)}>
      {action}
    </Button>
  );
  return (
    <li
      class="card decision"
      tabIndex={-1}
      aria-current={isAtHand || undefined}
      onFocusCapture={onFocus}
    >
      <p class="facts">
        <span class={`badge ${tone}`}>{isRetraction ? "Retraction" : label}</span>
        {verdict !== undefined && (
          <span class={`badge ${verdict === "right" ? "good" : "warn"}`}>{titleOf(verdict)}</span>
        )}
        <span class="hint">
          confidence {confidence.toFixed(2)}, <Time at={at} />, tenant{" "}
          <bdi>{memory?.tenantId ?? "Default"}</bdi>
          {keyName !== undefined && ", key "}
          {keyName !== undefined && <bdi>{keyName}</bdi>}
        </span>
      </p>
      {believed("Before", memory, "Deleted")}
      {believed("After", replacement, "Retraction in a conversation")}
      {reason !== "" && (
        <p class="reason" dir="auto">
          {reason}
        </p>
      )}
      <div class="buttons">
        {isOpen && !decision.isReversible && (
          <span class="hint">
            Nothing changes: what came after rests on it. Your verdict is kept.
          </span>
        )}
        {isOpen && judging("Reject", "wrong")}
        {isOpen && judging("Accept", "right", "primary")}
        {!isOpen && verdict !== undefined && judging("Take the verdict back", undefined)}
      </div>
    </li>
  );
}

function believed(label: string, memory: Memory | undefined, none: string) {
  return (
    <p class="believed">
      <span class="hint">{label}</span>
      {memory === undefined ? <span class="none">{none}</span> : <MemoryLink {...memory} />}
    </p>
  );
}
