import type { ApiKey } from "@agent-memory/gen/agentmemory/admin/v1/api_key_service_pb";
import type { GetRecordResponse } from "@agent-memory/gen/agentmemory/dashboard/v1/review_service_pb";
import type { Settings } from "@agent-memory/gen/agentmemory/v1/settings_service_pb";
import { useState } from "preact/hooks";
import { api, sentenceOf } from "../../api.ts";
import { hrefOf } from "../../route.ts";
import { Check, TextField } from "../../ui/field.tsx";
import { Show, useLoad } from "../../ui/load.tsx";
import { Failed } from "../../ui/notice.tsx";
import { Trail } from "../../ui/trail.tsx";
import { nameOf, wordsOf } from "./name.ts";

/** The settings of one key, each with what it does. */
export function KeySettings({ apiKey }: { readonly apiKey: ApiKey }) {
  const { id } = apiKey;
  const record = useLoad((signal) => api.review.getRecord({}, { signal }), []);
  const settings = useLoad(
    async (signal) => {
      const { settings } = await api.keys.getApiKeySettings({ id }, { signal });
      return settings ?? null;
    },
    [id],
  );
  return (
    <>
      <header class="page-head">
        <div>
          <Trail href={hrefOf("keys")} label="API keys" />
          <h1>{nameOf(apiKey)}</h1>
          <p>Automatic supersession of what this key writes.</p>
        </div>
      </header>
      <Show of={settings}>
        {(loaded) =>
          loaded !== null && <SettingsForm id={id} settings={loaded} record={record.value} />
        }
      </Show>
    </>
  );
}

interface SettingsFormProps {
  readonly id: string;
  readonly settings: Settings;
  /** null: it is not known yet. */
  readonly record: GetRecordResponse | null;
}

function SettingsForm({ id, settings, record }: SettingsFormProps) {
  const [isOn, setOn] = useState(settings.autoSupersedeDefault ?? false);
  const [mode, setMode] = useState(settings.autoSupersedeMode ?? "act");
  const [confidence, setConfidence] = useState(settings.minConfidence ?? 0);
  const [categories, setCategories] = useState(settings.excludedCategories.join(", "));
  const [model, setModel] = useState(settings.classifierModel ?? "");
  const [logs, setLogs] = useState(settings.logQuestions ?? false);
  const [outcome, setOutcome] = useState<{ saved: boolean; problem: string } | null>(null);
  const save = (event: Event) => {
    event.preventDefault();
    setOutcome(null);
    const changed = {
      autoSupersedeDefault: isOn,
      autoSupersedeMode: mode,
      minConfidence: confidence,
      excludedCategories: wordsOf(categories),
      classifierModel: model.trim(),
      logQuestions: logs,
    };
    api.keys.updateApiKeySettings({ id, settings: changed, updateMask: MASK }).then(
      () => setOutcome({ saved: true, problem: "" }),
      (error: unknown) => setOutcome({ saved: false, problem: sentenceOf(error) }),
    );
  };
  return (
    <form class="card settings" onSubmit={save}>
      <Check checked={isOn} onToggle={() => setOn(!isOn)}>
        <strong>Automatic supersession</strong>
        <span class="hint">
          Each write is compared with current memories, and what it makes untrue is superseded. A
          write can say otherwise with <code>auto_supersede</code>.
        </span>
      </Check>
      <fieldset>
        <legend>When the classifier decides</legend>
        {MODES.map(([value, title, hint]) => (
          <Check
            key={value}
            type="radio"
            name="mode"
            checked={mode === value}
            onToggle={() => setMode(value)}
          >
            <strong>{title}</strong>
            <span class="hint">{hint}</span>
          </Check>
        ))}
      </fieldset>
      <TextField
        label={`Minimum confidence: ${confidence.toFixed(2)}`}
        hint={`Decisions below it supersede nothing. A higher value makes fewer mistakes, and misses more. ${rateOf(record)}`}
        type="range"
        min={0}
        max={1}
        step={0.01}
        value={confidence}
        onText={(text) => setConfidence(Number(text))}
      />
      <TextField
        label="Categories that no classifier sees"
        hint="With commas between them. Memories in one of these are neither sent to the classifier nor superseded by it. Leave it empty to send all."
        value={categories}
        onText={setCategories}
      />
      <TextField
        label="Classifier model"
        hint="A Gemini model. Without effect where another vendor classifies."
        value={model}
        onText={setModel}
      />
      <Check checked={logs} onToggle={() => setLogs(!logs)}>
        <strong>Log questions and answers</strong>
        <span class="hint">
          The log keeps what this key asks, and is answered, for 90 days at most. An erasure takes
          the texts of its tenant with it.
        </span>
      </Check>
      <div class="buttons">
        <span role="status">{outcome?.saved && "Saved"}</span>
        <button type="submit" class="primary">
          Save
        </button>
      </div>
      {outcome?.saved === false && <Failed>{outcome.problem}</Failed>}
    </form>
  );
}

/** The false-retire rate in a sentence; "": there is none yet. */
function rateOf(record: GetRecordResponse | null): string {
  if (record === null || record.endedCount === 0) return "";
  const { endedCount, restoredCount } = record;
  const percent = Math.round((100 * restoredCount) / endedCount);
  return `Of ${endedCount} memories that were ended in the last 30 days, by all keys, ${restoredCount} were restored: ${percent} %.`;
}

const MODES = [
  ["act", "Supersede", "What it is confident of is done at once, and can be restored."],
  ["shadow", "Shadow mode", "Nothing is superseded. What it would have done waits under Review."],
] as const;

/** All of them: a form is saved as a whole. */
const MASK = {
  paths: [
    "auto_supersede_default",
    "auto_supersede_mode",
    "min_confidence",
    "excluded_categories",
    "classifier_model",
    "log_questions",
  ],
};
