import type { ApiKey } from "@agent-memory/gen/agentmemory/admin/v1/api_key_service_pb";
import type { GetRecordResponse } from "@agent-memory/gen/agentmemory/dashboard/v1/review_service_pb";
import type { Settings } from "@agent-memory/gen/agentmemory/v1/settings_service_pb";
import { useState } from "preact/hooks";
import { api } from "../../api.ts";
import { hrefOf } from "../../route.ts";
import { Check, TextField } from "../../ui/field.tsx";
import { Show, useLoad } from "../../ui/load.tsx";
import { PageHead, Trail } from "../../ui/page-head.tsx";
import { useWork } from "../../ui/work.tsx";
import { nameOf, wordsOf } from "./key-names.ts";

interface KeySettingsProps {
  readonly apiKey: ApiKey;
  readonly onRenamed: () => void;
}

/** The name of one key and its settings, each with what it does. */
export function KeySettings({ apiKey, onRenamed }: KeySettingsProps) {
  const { id } = apiKey;
  const record = useLoad((signal) => api.review.getRecord({}, { signal }), []);
  const settings = useLoad(
    async (signal) => (await api.keys.getApiKeySettings({ id }, { signal })).settings ?? null,
    [id],
  );
  return (
    <>
      <PageHead
        title={nameOf(apiKey)}
        trail={<Trail href={hrefOf("keys")} label="API keys" />}
        about="Automatic supersession of what this key writes."
      />
      <Show of={settings}>
        {(loaded) =>
          loaded !== null && (
            <SettingsForm {...{ apiKey, onRenamed }} settings={loaded} record={record.value} />
          )
        }
      </Show>
    </>
  );
}

interface SettingsFormProps extends KeySettingsProps {
  readonly settings: Settings;
  /** null: it is not known yet. */
  readonly record: GetRecordResponse | null;
}

function SettingsForm({
  apiKey: { id, name = "" },
  onRenamed,
  settings,
  record,
}: SettingsFormProps) {
  const [draft, setDraft] = useState({
    name,
    autoSupersedeDefault: settings.autoSupersedeDefault ?? false,
    autoSupersedeMode: settings.autoSupersedeMode ?? "act",
    minConfidence: settings.minConfidence ?? 0,
    categories: settings.excludedCategories.join(", "),
    classifierModel: settings.classifierModel ?? "",
    logQuestions: settings.logQuestions ?? false,
  });
  const { run, notice } = useWork();
  const [isSaved, setSaved] = useState(false);
  const set = (change: Partial<typeof draft>) => setDraft({ ...draft, ...change });
  const save = async () => {
    const { name: newName, categories, ...rest } = draft;
    const changed = { ...rest, excludedCategories: wordsOf(categories) };
    await api.keys.updateApiKeySettings({ id, settings: changed, updateMask: MASK });
    if (newName.trim() === name) return;
    await api.keys.renameApiKey({ id, name: newName.trim() || undefined });
    onRenamed();
  };
  return (
    <form
      class="card settings"
      onSubmit={async (event) => {
        event.preventDefault();
        setSaved(false);
        setSaved(await run(save));
      }}
    >
      <TextField
        label="Name"
        value={draft.name}
        maxLength={64}
        onText={(text) => set({ name: text })}
      />
      <Check
        checked={draft.autoSupersedeDefault}
        onToggle={() => set({ autoSupersedeDefault: !draft.autoSupersedeDefault })}
      >
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
            checked={draft.autoSupersedeMode === value}
            onToggle={() => set({ autoSupersedeMode: value })}
          >
            <strong>{title}</strong>
            <span class="hint">{hint}</span>
          </Check>
        ))}
      </fieldset>
      <TextField
        label={`Minimum confidence: ${draft.minConfidence.toFixed(2)}`}
        hint={`Decisions below it supersede nothing. A higher value makes fewer mistakes, and misses more. ${rateOf(record)}`}
        type="range"
        min={0}
        max={1}
        step={0.01}
        value={draft.minConfidence}
        onText={(text) => set({ minConfidence: Number(text) })}
      />
      <TextField
        label="Categories that no classifier sees"
        hint="With commas between them. Memories in one of these are neither sent to the classifier nor superseded by it. Leave it empty to send all."
        value={draft.categories}
        onText={(categories) => set({ categories })}
      />
      <TextField
        label="Classifier model"
        hint="A Gemini model. Without effect where another vendor classifies."
        value={draft.classifierModel}
        onText={(text) => set({ classifierModel: text.trim() })}
      />
      <Check
        checked={draft.logQuestions}
        onToggle={() => set({ logQuestions: !draft.logQuestions })}
      >
        <strong>Log questions and answers</strong>
        <span class="hint">
          The log keeps what this key asks, and is answered, for 90 days at most. An erasure takes
          the texts of its tenant with it.
        </span>
      </Check>
      <div class="buttons">
        <span role="status">{isSaved && "Saved"}</span>
        <button type="submit" class="primary">
          Save
        </button>
      </div>
      {notice}
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
