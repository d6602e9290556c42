import type { RetentionRule } from "@agent-memory/gen/agentmemory/admin/v1/erasure_service_pb";
import { useState } from "preact/hooks";
import { api } from "../../api.ts";
import { Question } from "../../ui/dialog.tsx";
import { TextField } from "../../ui/field.tsx";
import { Show, useLoad, useWork } from "../../ui/load.tsx";

const FIELDS = [
  ["tenantId", "Tenant", "Empty: every one.", "text"],
  ["source", "Source", "Empty: every one.", "text"],
  ["endedAfterDays", "Ended, after days", "Empty: they stay.", "number"],
  ["allAfterDays", "All, after days", "Empty: they stay.", "number"],
] as const;

type Rule = Partial<Omit<RetentionRule, "$typeName" | "$unknown">>;

export function Retention() {
  const rules = useLoad((signal) => api.erasure.listRetentionRules({}, { signal }), []);
  const [rule, setRule] = useState<Rule>({});
  const [dueCount, setDueCount] = useState<number | null>(null);
  const { sending, notice } = useWork();
  const count = async () => setDueCount((await api.erasure.setRetentionRule({ rule })).dueCount);
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
      <form onSubmit={sending(count)}>
        <div class="filter-row">
          {FIELDS.map(([name, label, hint, type]) => (
            <TextField
              key={name}
              {...{ label, hint, type }}
              value={rule[name] ?? ""}
              onText={(text) =>
                setRule({ ...rule, [name]: (type === "number" ? Number(text) : text) || undefined })
              }
            />
          ))}
        </div>
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
