import { useId, useState } from "preact/hooks";
import { api } from "../api.ts";
import { TextField } from "./field.tsx";
import { useLoad } from "./load.tsx";

/** How long nobody types before suggestions are asked for. */
const PAUSE_MS = 120;

interface KnownValueProps {
  readonly label: string;
  /** As the service calls it: "topic", "source" or "session_id"; "tenant_id" is of all tenants. */
  readonly field: string;
  /** The tenant whose memories have it; "": the default tenant. */
  readonly tenant?: string;
  readonly value: string;
  readonly placeholder: string;
  onChange(value: string): void;
}

/** A value that memories have: suggested, or typed. */
export function KnownValue({ field, tenant = "", onChange, ...rest }: KnownValueProps) {
  const listId = useId();
  /** null: nobody is at it. */
  const [text, setText] = useState<string | null>(null);
  const known = useLoad(
    async (signal) => {
      if (text === null) return [];
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
      signal.throwIfAborted();
      return suggest(field, text.trim(), tenant, signal);
    },
    [field, tenant, text],
  );
  return (
    <>
      <TextField
        {...rest}
        type="search"
        list={listId}
        onFocus={() => setText("")}
        onText={setText}
        onEntered={onChange}
      />
      <datalist id={listId}>
        {known.value?.map((each) => (
          <option key={each} value={each} />
        ))}
      </datalist>
    </>
  );
}

async function suggest(field: string, prefix: string, tenant: string, signal: AbortSignal) {
  if (field === "tenant_id") {
    const asked = { search: prefix, order: "name" };
    const { tenants } = await api.tenants.listTenants(asked, { signal });
    return tenants.flatMap(({ tenantId }) => tenantId ?? []);
  }
  const asked = { field, prefix, tenantId: tenant || undefined };
  return (await api.known.listKnownValues(asked, { signal })).values;
}
