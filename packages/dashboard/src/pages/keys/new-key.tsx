import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import { useState } from "preact/hooks";
import { api } from "../../api.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { Check, Choice, TextField } from "../../ui/field.tsx";
import { useWork } from "../../ui/load.tsx";
import { Button } from "../../ui/page.tsx";
import { Tabs } from "../../ui/tabs.tsx";
import { Copied, DAY_MS } from "../../ui/value.tsx";
import { wordsOf } from "./key-names.ts";
import { SNIPPETS } from "./snippets.ts";

/** Days; 0: it has no end. */
const EXPIRIES = { 0: "Never", 30: "In 30 days", 90: "In 90 days", 365: "In a year" };
const MAX_NAME_CHARACTERS = 64;
const RIGHTS = [
  ["read", "List, search, ask and export"],
  ["write", "Store, supersede and restore"],
  ["delete", "Erase memories"],
  ["import", "Import memories with their histories"],
] as const;

export function NewKey({ onClose }: { readonly onClose: (isNew: boolean) => void }) {
  const [secret, setSecret] = useState<string | null>(null);
  const [name, setName] = useState("");
  const [days, setDays] = useState("0");
  const [rights, setRights] = useState<ReadonlySet<string>>(new Set(["read", "write", "delete"]));
  const [tenants, setTenants] = useState("");
  const { isBusy, sending, notice } = useWork();
  const close = () => onClose(secret !== null);
  const create = async () => {
    const end = Date.now() + Number(days) * DAY_MS;
    const expiresAt = days === "0" ? undefined : timestampFromMs(end);
    const limits = { rights: [...rights], tenants: wordsOf(tenants) };
    const asked = { name: name.trim() || undefined, expiresAt, ...limits };
    setSecret((await api.keys.createApiKey(asked)).secret);
  };
  return (
    <Dialog
      title={secret === null ? "New key" : "Your new key"}
      asked={secret === null ? null : "The key is not shown again. Close it?"}
      onClose={close}
    >
      {secret === null ? (
        <form onSubmit={sending(create)}>
          <TextField
            label="Name"
            hint="What will use it: an agent, a service, a person."
            value={name}
            maxLength={MAX_NAME_CHARACTERS}
            onText={setName}
          />
          <Choice label="Expires" value={days} options={EXPIRIES} onChoose={setDays} />
          <fieldset>
            <legend>What it may do</legend>
            {RIGHTS.map(([right, about]) => (
              <Check
                key={right}
                checked={rights.has(right)}
                onToggle={() => setRights(rights.symmetricDifference(new Set([right])))}
              >
                <strong>{right}</strong> <span class="hint">{about}</span>
              </Check>
            ))}
          </fieldset>
          <TextField
            label="Tenants"
            hint="Names, or beginnings that end in *, with commas between them. Empty: every tenant."
            value={tenants}
            onText={setTenants}
          />
          {notice}
          <div class="buttons">
            <Button onClick={close}>Cancel</Button>
            <button type="submit" class="primary" disabled={isBusy || rights.size === 0}>
              Create key
            </button>
          </div>
        </form>
      ) : (
        <CreatedKey secret={secret} onDone={close} />
      )}
    </Dialog>
  );
}

function CreatedKey({ secret, onDone }: { readonly secret: string; readonly onDone: () => void }) {
  const [chosen, setChosen] = useState(0);
  return (
    <>
      <p>Copy it now: it is shown this once, and stored nowhere.</p>
      <Copied label="API key" text={secret} />
      <Tabs
        label="How to use it"
        chosen={chosen}
        onChoose={setChosen}
        tabs={SNIPPETS.map(({ name, about, textOf }) => ({
          name,
          content: (
            <>
              <p class="hint">{about}</p>
              <Copied label={name} text={textOf(location.origin, secret)} />
            </>
          ),
        }))}
      />
      <div class="buttons">
        <Button look="primary" onClick={onDone}>
          Done
        </Button>
      </div>
    </>
  );
}
