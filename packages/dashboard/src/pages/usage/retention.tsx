import type { RetentionRule } from "@agent-memory/gen/agentmemory/admin/v1/erasure_service_pb";
import { useState } from "preact/hooks";
import { api } from "../../api.ts";
import { Question } from "../../ui/dialog.tsx";
import { TextField } from "../../ui/field.tsx";
import { Show, useLoad } from "../../ui/load.tsx";
import { useWork } from "../../ui/work.tsx";

const FIELDS = { tenantId: "Tenant", source: "Source" } as const;
const DAYS = { endedAfterDays: "Ended, after days", allAfterDays: "All, after days" } as const;

type Rule = Partial<Omit<RetentionRule, "$typeName" | "$unknown">>;

/** After how many days memories are erased, and a form that sets it. */
export function Retention() {
  const rules = useLoad((signal) => api.erasure.listRetentionRules({}, { signal }), []);
  const [rule, setRule] = useState<Rule>({});
  const [dueCount, setDueCount] = useState<number | null>(null);
  const { run, notice } = useWork();
  const close = (isDone: boolean) => {
    setDueCount(null);
    if (!isDone) return;
    setRule({});
    rules.reload();
  };
  return (
    <section class="card" aria-label="Retention">
      <h2>Retention</h2>
      <p class="hint">Memories are erased after so many days. The first rule that is due counts.</p>
      <Show of={rules}>
        {({ rules: all }) => (
          <ul>
            {all.map((each) => (
              <li key={`${each.tenantId} ${each.source}`}>{textOf(each)}</li>
            ))}
          </ul>
        )}
      </Show>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void run(async () => {
            setDueCount((await api.erasure.setRetentionRule({ rule })).dueCount);
          });
        }}
      >
        {Object.entries(FIELDS).map(([name, label]) => (
          <TextField
            key={name}
            label={label}
            hint="Empty: every one."
            value={rule[name as keyof typeof FIELDS] ?? ""}
            onText={(text) => setRule({ ...rule, [name]: text || undefined })}
          />
        ))}
        {Object.entries(DAYS).map(([name, label]) => (
          <TextField
            key={name}
            label={label}
            hint="Empty: they stay."
            type="number"
            min={1}
            value={rule[name as keyof typeof DAYS] ?? ""}
            onText={(text) => setRule({ ...rule, [name]: Number(text) || undefined })}
          />
        ))}
        <button type="submit">Set</button>
        {notice}
      </form>
      {dueCount !== null && (
        <Question
          title="Set this rule?"
          action="Set"
          isDangerous
          onConfirm={() => api.erasure.setRetentionRule({ rule, confirmed: true })}
          onClose={close}
        >
          <p>{textOf(rule)}.</p>
          <p>It would erase {dueCount} memories today. Nothing brings them back.</p>
        </Question>
      )}
    </section>
  );
}

function textOf({ tenantId, source, endedAfterDays, allAfterDays }: Rule): string {
  const whose = tenantId === undefined ? "Every tenant" : `Tenant ${tenantId}`;
  const from = source === undefined ? "" : `, source ${source}`;
  const days = [
    ...(endedAfterDays === undefined ? [] : [`what has ended after ${endedAfterDays} days`]),
    ...(allAfterDays === undefined ? [] : [`everything after ${allAfterDays} days`]),
  ];
  return `${whose}${from}: ${days.length === 0 ? "no rule" : days.join(", ")}`;
}
