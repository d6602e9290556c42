import type {
  Decision,
  GetRecordResponse,
} from "@agent-memory/gen/agentmemory/dashboard/v1/review_service_pb";
import { signal } from "@preact/signals";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { api } from "../../api.ts";
import { go, goWith, hrefOf, route } from "../../route.ts";
import { Check, FilterChoice, KnownValue } from "../../ui/field.tsx";
import { NumberTable, Pager, pageTokenOfAddress } from "../../ui/list.tsx";
import { Show, useLoad, useWork } from "../../ui/load.tsx";
import { Button, Empty, PageHead } from "../../ui/page.tsx";
import { Tabs } from "../../ui/tabs.tsx";
import { type KeyNames, useKeyNames } from "../keys/key-names.ts";
import { DecisionCard, type Verdict } from "./decision-card.tsx";
import { RejectedFacts } from "./rejected-facts.tsx";

const TABS = ["decisions", "rejected"];

export function Review() {
  const { query } = route.value;
  const tenant = query.get("tenant") ?? undefined;
  return (
    <>
      <PageHead
        title="Review"
        about="What the classifier decided, and what of conversations was not remembered."
      />
      <Tabs
        label="What to review"
        chosen={Math.max(0, TABS.indexOf(query.get("tab") ?? ""))}
        onChoose={(index) => go(hrefOf("review", null, { tenant, tab: TABS[index] }))}
        tabs={[
          { name: "Decisions", content: <Decisions /> },
          { name: "Rejected", content: <RejectedFacts /> },
        ]}
      />
    </>
  );
}

/** From here on a decision is nearly certain. */
const NEARLY_CERTAIN = 0.95;

const ANY = { "": "Any" };
const KINDS = { ...ANY, superseded: "Superseded", retracted: "Retraction", shadow: "Shadow mode" };
const CONFIDENCES = { ...ANY, high: "0.95 and more", low: "Below 0.95" };
const STATES = { "": "Open", all: "All" };

/** Decisions of the classifier as an inbox: by default those that nobody judged yet. */
function Decisions() {
  const { query } = route.value;
  const pageToken = pageTokenOfAddress();
  const onlyOpen = query.get("state") !== "all";
  const keyNames = useKeyNames();
  const record = useLoad((signal) => api.review.getRecord({}, { signal }), []);
  const asked = {
    pageToken,
    onlyOpen,
    tenantId: query.get("tenant") || undefined,
    apiKeyId: query.get("key") || undefined,
    kind: query.get("kind") || undefined,
    minConfidence: query.get("confidence") === "high" ? NEARLY_CERTAIN : undefined,
    belowConfidence: query.get("confidence") === "low" ? NEARLY_CERTAIN : undefined,
  };
  const decisions = useLoad(
    (signal) => api.review.listDecisions(asked, { signal }),
    Object.values(asked),
  );
  return (
    <div class="loaded">
      <search class="filter-row">
        <FilterChoice label="Show" name="state" options={STATES} />
        <KnownValue
          label="Tenant"
          field="tenant_id"
          value={asked.tenantId ?? ""}
          placeholder="Any"
          onEntered={(tenant) => goWith({ tenant })}
        />
        <FilterChoice
          label="API key"
          name="key"
          options={{ ...ANY, ...Object.fromEntries(keyNames) }}
        />
        <FilterChoice label="Confidence" name="confidence" options={CONFIDENCES} />
        <FilterChoice label="Kind" name="kind" options={KINDS} />
      </search>
      {record.value !== null && precisionOf(record.value, keyNames)}
      <Show of={decisions}>
        {({ decisions: page, nextPageToken }) => (
          <>
            <Inbox
              key={`${pageToken} ${query}`}
              page={page}
              onlyOpen={onlyOpen}
              keyNames={keyNames}
              onChange={() => {
                record.reload();
                if (!onlyOpen) decisions.reload();
              }}
            />
            <Pager nextPageToken={nextPageToken} label="Pages of decisions" />
          </>
        )}
      </Show>
    </div>
  );
}

/** How often each model was right, by the verdicts. */
function precisionOf({ verdicts }: GetRecordResponse, keyNames: KeyNames) {
  if (verdicts.length === 0) return null;
  const right = verdicts.reduce((sum, { rightCount }) => sum + rightCount, 0);
  const wrong = verdicts.reduce((sum, { wrongCount }) => sum + wrongCount, 0);
  return (
    <details>
      <summary>
        {right.toLocaleString()} right and {wrong.toLocaleString()} wrong: a precision of{" "}
        {percentOf(right, wrong)}
      </summary>
      <NumberTable
        head={["Key and model", "Right", "Wrong", "Precision"]}
        rows={verdicts.map(({ apiKeyId, model, isShadow, rightCount, wrongCount }) => [
          `${keyNames.get(apiKeyId ?? "") ?? "No key"}, ${model}${isShadow ? ", shadow mode" : ""}`,
          rightCount.toLocaleString(),
          wrongCount.toLocaleString(),
          percentOf(rightCount, wrongCount),
        ])}
      />
    </details>
  );
}

const percentOf = (right: number, wrong: number) =>
  `${Math.round((100 * right) / (right + wrong))} %`;

interface InboxProps {
  readonly page: readonly Decision[];
  readonly onlyOpen: boolean;
  readonly keyNames: KeyNames;
  readonly onChange: () => void;
}

const idOf = ({ decidedIn, sequence, memory }: Decision) =>
  `${decidedIn} ${sequence} ${memory?.id}`;

/** A page of decisions, one of them at hand: j and k go on, a accepts, x rejects, u takes back. */
function Inbox({ page, onlyOpen, keyNames, onChange }: InboxProps) {
  const [judged, setJudged] = useState<readonly Decision[]>([]);
  const [at, setAt] = useState(0);
  const { isBusy, run, notice } = useWork();
  const [hasShortcuts, setShortcuts] = useState(true);
  const list = useRef<HTMLOListElement>(null);
  const wantsFocus = useRef(false);
  const gone = new Set(onlyOpen ? judged.map(idOf) : []);
  const shown = page.filter((decision) => !gone.has(idOf(decision)));
  const certain = shown.filter(({ isOpen, confidence }) => isOpen && confidence >= NEARLY_CERTAIN);

  const focus = (index: number) => {
    wantsFocus.current = true;
    setAt(Math.max(0, Math.min(index, shown.length - 1)));
  };
  useLayoutEffect(() => {
    if (!wantsFocus.current) return;
    wantsFocus.current = false;
    const items = list.current?.querySelectorAll<HTMLElement>(":scope > li");
    items?.[Math.min(at, items.length - 1)]?.focus();
  });

  /** The one behind it then is at hand. */
  const judge = async (decisions: readonly Decision[], verdict: Verdict | undefined) => {
    await run(async () => {
      for (const decision of decisions) {
        const { decidedIn, sequence, memory } = decision;
        const memoryId = memory?.id ?? "";
        await api.review.judgeDecision({ decidedIn, sequence, memoryId, verdict });
        wantsFocus.current = true;
        setJudged((before) => {
          const others = before.filter((each) => each !== decision);
          return verdict === undefined ? others : [...others, decision];
        });
      }
    });
    onChange();
    countOpen().catch(() => {});
  };
  const undo = () => judge(judged.slice(-1), undefined);
  const atHand = shown[Math.min(at, shown.length - 1)];
  const keys: Readonly<Record<string, () => void>> = {
    j: () => focus(at + 1),
    k: () => focus(at - 1),
    u: undo,
    ...(atHand?.isOpen && {
      a: () => judge([atHand], "right"),
      x: () => judge([atHand], "wrong"),
    }),
  };
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      const isTyped = (event.target as Element).closest("input, select, textarea, dialog") !== null;
      if (isTyped || event.ctrlKey || event.metaKey || event.altKey || isBusy) return;
      keys[event.key]?.();
    };
    if (hasShortcuts) addEventListener("keydown", press);
    return () => removeEventListener("keydown", press);
  });

  return (
    <>
      <div class="inbox-head">
        <Check checked={hasShortcuts} onToggle={() => setShortcuts(!hasShortcuts)}>
          Keys: <kbd>j</kbd> <kbd>k</kbd> next, previous, <kbd>a</kbd> accept, <kbd>x</kbd> reject,{" "}
          <kbd>u</kbd> undo
        </Check>
        <span class="buttons">
          <span role="status">{judged.length > 0 && `${judged.length} judged`}</span>
          {judged.length > 0 && (
            <Button disabled={isBusy} onClick={undo}>
              Undo
            </Button>
          )}
          {certain.length > 1 && (
            <Button disabled={isBusy} onClick={() => judge(certain, "right")}>
              Accept {certain.length} nearly certain ones
            </Button>
          )}
        </span>
      </div>
      {notice}
      {shown.length === 0 ? (
        <Empty title="Nothing to review">
          {(judged.length > 0 || openCount.value === 0) && (
            <>
              No decision waits here.{" "}
              <a href={hrefOf("review", null, { state: "all" })}>Show all</a>.{" "}
            </>
          )}
          In the settings of <a href={hrefOf("keys")}>a key</a>, turn automatic supersession on, or
          shadow mode: each decision then comes here, with its reason.
        </Empty>
      ) : (
        <ol class="decisions" ref={list}>
          {shown.map((decision, index) => (
            <DecisionCard
              key={idOf(decision)}
              decision={decision}
              keyName={keyNames.get(decision.apiKeyId ?? "")}
              isAtHand={decision === atHand}
              isBusy={isBusy}
              onFocus={() => setAt(index)}
              onJudge={(verdict) => judge([decision], verdict)}
            />
          ))}
        </ol>
      )}
    </>
  );
}

/** Decisions that wait for a verdict; null: it is not known yet. */
const openCount = signal<number | null>(null);

async function countOpen(): Promise<void> {
  openCount.value = (await api.review.getRecord({})).openCount;
}

/** How many decisions wait, beside the page's name in the menu. */
export function OpenCount() {
  useEffect(() => {
    countOpen().catch(() => {});
  }, []);
  if (!openCount.value) return null;
  return (
    <span class="count">
      {openCount.value.toLocaleString()}
      <span class="unseen"> open</span>
    </span>
  );
}
