import type { ApiKey } from "@agent-memory/gen/agentmemory/admin/v1/api_key_service_pb";
import { timestampMs } from "@bufbuild/protobuf/wkt";
import { useState } from "preact/hooks";
import { api } from "../../api.ts";
import { hrefOf, route } from "../../route.ts";
import { Question } from "../../ui/dialog.tsx";
import { Check } from "../../ui/field.tsx";
import { Show, useLoad } from "../../ui/load.tsx";
import { Empty } from "../../ui/notice.tsx";
import { PageHead } from "../../ui/page-head.tsx";
import { type Column, Table } from "../../ui/table.tsx";
import { Time } from "../../ui/time.tsx";
import { listKeys, nameOf } from "./key-names.ts";
import { KeySettings } from "./key-settings.tsx";
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
const isExpired = ({ expiresAt }: ApiKey) =>
  expiresAt !== undefined && timestampMs(expiresAt) <= Date.now();

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

interface KeyListProps {
  readonly keys: readonly ApiKey[];
  readonly onChange: () => void;
}

function KeyList({ keys, onChange }: KeyListProps) {
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
        <button type="button" class="primary" onClick={() => setCreating(true)}>
          New key
        </button>
      </PageHead>
      {shown.length === 0 ? (
        <Empty title="No keys yet">
          <p>Create one: it comes with lines for your shell and your code, ready to paste.</p>
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
                <button
                  type="button"
                  aria-label={`Revoke ${nameOf(key)}`}
                  onClick={() => setRevoking(key)}
                >
                  Revoke
                </button>
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
