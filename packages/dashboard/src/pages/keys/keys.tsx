import type { ApiKey } from "@agent-memory/gen/agentmemory/admin/v1/api_key_service_pb";
import type { GetRecordResponse } from "@agent-memory/gen/agentmemory/dashboard/v1/review_service_pb";
import {
  type Settings,
  SettingsSchema,
} from "@agent-memory/gen/agentmemory/v1/settings_service_pb";
import { timestampMs } from "@bufbuild/protobuf/wkt";
import { useState } from "preact/hooks";
import { api } from "../../api.ts";
import { hrefOf, route } from "../../route.ts";
import { Question } from "../../ui/dialog.tsx";
import { Check, TextField } from "../../ui/field.tsx";
import { type Column, Table } from "../../ui/list.tsx";
import { Show, useLoad, useWork } from "../../ui/load.tsx";
import { Button, Empty, PageHead, Trail } from "../../ui/page.tsx";
import { Time } from "../../ui/value.tsx";
import { listKeys, nameOf, wordsOf } from "./key-names.ts";
import { NewKey } from "./new-key.tsx";

/** The keys of the account, or the settings of the one that the address names. */
export function Keys() {
  const { id } = route.value;
  const keys = useLoad(listKeys, []);
  const chosen = keys.value?.find((key) => key.id === id);
  if (chosen !== undefined) return <KeySettings apiKey={chosen} onRenamed={keys.reload} />;
  return <Show of={keys}>{(all) => <KeyList keys={all} onChange={keys.reload} />}</Show>;
}

const isRevoked = ({ revokedAt }: ApiKey) => revokedAt !== undefined;
const isExpired = ({ expiresAt }: ApiKey) => expiresAt && timestampMs(expiresAt) <= Date.now();

const COLUMNS: readonly Column<ApiKey>[] = [
  { name: "Name", cellOf: ({ name }) => name ?? <span class="none">Unnamed</span> },
  { name: "Key", cellOf: ({ prefix }) => <code>{prefix}…</code> },
  { name: "Created", cellOf: ({ createdAt }) => <Time at={createdAt} withDayAlone /> },
  {
    name: "Last used",
    cellOf: ({ lastUsedAt }) => <Time at={lastUsedAt} none="Never" withDayAlone />,
  },
  {
    name: "Expires",
    cellOf: (key) =>
      isRevoked(key) ? (
        "Revoked"
      ) : (
        <>
          <Time at={key.expiresAt} none="Never" withDayAlone />{" "}
          {isExpired(key) && <span class="badge warn">Expired</span>}
        </>
      ),
  },
];

function KeyList({ keys, onChange }: { keys: readonly ApiKey[]; onChange: () => void }) {
  const [isCreating, setCreating] = useState(false);
  const [revoking, setRevoking] = useState<ApiKey | null>(null);
  const [showsRevoked, setShowsRevoked] = useState(false);
  const revokedCount = keys.filter(isRevoked).length;
  const shown = keys.filter((key) => showsRevoked || !isRevoked(key));
  const close = (isChanged: boolean) => {
    setCreating(false);
    setRevoking(null);
    if (isChanged) onChange();
  };
  return (
    <>
      <PageHead
        title="API keys"
        about="Each program that uses your memories gets a key of its own, with its own settings."
      >
        <Button look="primary" onClick={() => setCreating(true)}>
          New key
        </Button>
      </PageHead>
      {shown.length === 0 ? (
        <Empty title="No keys yet">
          Create one: it comes with lines for your shell and your code, ready to paste.
        </Empty>
      ) : (
        <Table
          rows={shown}
          columns={COLUMNS}
          keyOf={({ id }) => id}
          actionsOf={(key) =>
            !isRevoked(key) && (
              <>
                <a
                  class="button"
                  href={hrefOf("keys", key.id)}
                  aria-label={`Settings of ${nameOf(key)}`}
                >
                  Settings
                </a>
                <Button aria-label={`Revoke ${nameOf(key)}`} onClick={() => setRevoking(key)}>
                  Revoke
                </Button>
              </>
            )
          }
        />
      )}
      {revokedCount > 0 && (
        <Check checked={showsRevoked} onToggle={() => setShowsRevoked(!showsRevoked)}>
          Show {revokedCount} revoked
        </Check>
      )}
      {isCreating && <NewKey onClose={close} />}
      {revoking !== null && (
        <Question
          title={`Revoke ${nameOf(revoking)}?`}
          action="Revoke key"
          isDangerous
          onConfirm={() => api.keys.revokeApiKey({ id: revoking.id })}
          onClose={close}
        >
          <p>
            Whatever uses <code>{revoking.prefix}…</code> is refused within a second, for good. Last
            used: <Time at={revoking.lastUsedAt} none="never" />.
          </p>
        </Question>
      )}
    </>
  );
}

interface KeySettingsProps {
  readonly apiKey: ApiKey;
  readonly onRenamed: () => void;
}

/** The name of one key and its settings, each with what it does. */
function KeySettings({ apiKey, onRenamed }: KeySettingsProps) {
  const { id } = apiKey;
  const loaded = useLoad((signal) => api.keys.getApiKeySettings({ id }, { signal }), [id]);
  return (
    <>
      <PageHead
        title={nameOf(apiKey)}
        trail={<Trail href={hrefOf("keys")} label="API keys" />}
        about="Automatic supersession of what this key writes."
      />
      <Show of={loaded}>
        {({ settings }) => settings && <SettingsForm {...{ apiKey, onRenamed, settings }} />}
      </Show>
    </>
  );
}

type SettingsFormProps = KeySettingsProps & { readonly settings: Settings };

function SettingsForm({ apiKey, onRenamed, settings }: SettingsFormProps) {
  const { id, name = "" } = apiKey;
  const record = useLoad((signal) => api.review.getRecord({}, { signal }), []);
  const [draft, setDraft] = useState({
    name,
    autoSupersedeDefault: settings.autoSupersedeDefault ?? false,
    autoSupersedeMode: settings.autoSupersedeMode ?? "act",
    minConfidence: settings.minConfidence ?? 0,
    categories: settings.excludedCategories.join(", "),
    classifierModel: settings.classifierModel ?? "",
    logQuestions: settings.logQuestions ?? false,
  });
  const { sending, notice } = useWork();
  const [isSaved, setSaved] = useState(false);
  const set = (change: Partial<typeof draft>) => setDraft({ ...draft, ...change });
  const save = async () => {
    setSaved(false);
    const { name: newName, categories, ...rest } = draft;
    const changed = { ...rest, excludedCategories: wordsOf(categories) };
    await api.keys.updateApiKeySettings({ id, settings: changed, updateMask: MASK });
    if (newName.trim() !== name) {
      await api.keys.renameApiKey({ id, name: newName.trim() || undefined });
      onRenamed();
    }
    setSaved(true);
  };
  return (
    <form class="card settings" onSubmit={sending(save)}>
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
        hint={`Decisions below it supersede nothing. A higher value makes fewer mistakes, and misses more. ${rateOf(record.value)}`}
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

/** The form has all settings, and saves them as a whole. */
const MASK = { paths: SettingsSchema.fields.map(({ name }) => name) };
