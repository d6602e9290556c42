import type { ApiKey } from "@agent-memory/gen/agentmemory/admin/v1/api_key_service_pb";
import { timestampMs } from "@bufbuild/protobuf/wkt";
import { useState } from "preact/hooks";
import { api } from "../../api.ts";
import { hrefOf, route } from "../../route.ts";
import { Question } from "../../ui/dialog.tsx";
import { Check } from "../../ui/field.tsx";
import { Show, useLoad } from "../../ui/load.tsx";
import { Empty } from "../../ui/notice.tsx";
import { Time } from "../../ui/time.tsx";
import { KeySettings } from "./key-settings.tsx";
import { nameOf } from "./name.ts";
import { NewKey } from "./new-key.tsx";

/** The keys of the account, or the settings of the one that the address names. */
export function Keys() {
  const { id } = route.value;
  const keys = useLoad((signal) => listKeys(signal), []);
  const chosen = keys.value?.find((key) => key.id === id);
  if (chosen !== undefined) return <KeySettings apiKey={chosen} />;
  return <Show of={keys}>{(all) => <KeyList keys={all} onChange={keys.reload} />}</Show>;
}

/** All of them, newest first. */
export async function listKeys(signal: AbortSignal): Promise<ApiKey[]> {
  const keys: ApiKey[] = [];
  let pageToken: string | undefined;
  do {
    const page = await api.keys.listApiKeys({ pageToken }, { signal });
    keys.push(...page.apiKeys);
    pageToken = page.nextPageToken;
  } while (pageToken !== undefined);
  return keys.reverse();
}

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
  return (
    <>
      <header class="page-head">
        <div>
          <h1>API keys</h1>
          <p>Each program that uses your memories gets a key of its own, with its own settings.</p>
        </div>
        <button type="button" class="primary" onClick={() => setCreating(true)}>
          New key
        </button>
      </header>
      {shown.length === 0 ? (
        <Empty title="No keys yet">
          <p>Create one: it comes with lines for your shell and your code, ready to paste.</p>
        </Empty>
      ) : (
        <KeyTable keys={shown} onRevoke={setRevoking} />
      )}
      {revokedCount > 0 && (
        <Check checked={showsRevoked} onToggle={() => setShowsRevoked(!showsRevoked)}>
          Show {revokedCount} revoked
        </Check>
      )}
      {isCreating && (
        <NewKey
          onClose={(isNew) => {
            setCreating(false);
            if (isNew) onChange();
          }}
        />
      )}
      {revoking !== null && (
        <RevokeKey
          apiKey={revoking}
          onClose={(isRevoked) => {
            setRevoking(null);
            if (isRevoked) onChange();
          }}
        />
      )}
    </>
  );
}

interface KeyTableProps {
  readonly keys: readonly ApiKey[];
  readonly onRevoke: (key: ApiKey) => void;
}

function KeyTable({ keys, onRevoke }: KeyTableProps) {
  return (
    <div class="table">
      <table class="stacked">
        <thead>
          <tr>
            <th scope="col">Name</th>
            <th scope="col">Key</th>
            <th scope="col">Created</th>
            <th scope="col">Last used</th>
            <th scope="col">Expires</th>
            <th scope="col">
              <span class="unseen">Actions</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {keys.map((key) => (
            <tr key={key.id} class={isRevoked(key) ? "faded" : undefined}>
              <th scope="row">{key.name ?? <span class="none">Unnamed</span>}</th>
              <td data-label="Key">
                <code>{key.prefix}…</code>
              </td>
              <td data-label="Created">
                <Time at={key.createdAt} withDayAlone />
              </td>
              <td data-label="Last used">
                <Time at={key.lastUsedAt} none="Never" withDayAlone />
              </td>
              <td data-label="Expires">
                {isRevoked(key) ? (
                  "Revoked"
                ) : (
                  <>
                    <Time at={key.expiresAt} none="Never" withDayAlone />{" "}
                    {isExpired(key) && <span class="badge warn">Expired</span>}
                  </>
                )}
              </td>
              <td class="actions">
                {!isRevoked(key) && (
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
                      onClick={() => onRevoke(key)}
                    >
                      Revoke
                    </button>
                  </>
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

interface RevokeKeyProps {
  readonly apiKey: ApiKey;
  readonly onClose: (isRevoked: boolean) => void;
}

function RevokeKey({ apiKey, onClose }: RevokeKeyProps) {
  return (
    <Question
      title={`Revoke ${nameOf(apiKey)}?`}
      action="Revoke key"
      isDangerous
      onConfirm={() => api.keys.revokeApiKey({ id: apiKey.id })}
      onClose={onClose}
    >
      <p>
        Whatever uses <code>{apiKey.prefix}…</code> is refused within a second, for good. Last used:{" "}
        <Time at={apiKey.lastUsedAt} none="never" />.
      </p>
    </Question>
  );
}

const isRevoked = ({ revokedAt }: ApiKey) => revokedAt !== undefined;
const isExpired = ({ expiresAt }: ApiKey) =>
  expiresAt !== undefined && timestampMs(expiresAt) <= Date.now();
