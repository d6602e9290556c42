import { api } from "../api.ts";
import { Combobox, type Suggestion } from "./combobox.tsx";
import { Field } from "./field.tsx";

interface KnownValueProps {
  readonly label: string;
  /** As the service calls it: "topic", "source" or "session_id"; "tenant_id" is of all tenants. */
  readonly field: string;
  /** The tenant whose memories have it; "": the default tenant. */
  readonly tenant: string;
  readonly value: string;
  readonly placeholder: string;
  onChange(value: string): void;
}

/** A value that memories have: suggested, or typed. */
export function KnownValue({ field, tenant, label, ...rest }: KnownValueProps) {
  const suggest = async (prefix: string, signal: AbortSignal): Promise<readonly Suggestion[]> => {
    if (field === "tenant_id") {
      const { tenants } = await api.tenants.listTenants(
        { search: prefix, order: "name" },
        { signal },
      );
      return tenants.flatMap(({ tenantId }) => (tenantId === undefined ? [] : { value: tenantId }));
    }
    const tenantId = tenant || undefined;
    const { values } = await api.known.listKnownValues({ field, prefix, tenantId }, { signal });
    return values.map((value) => ({ value }));
  };
  return (
    <Field label={label}>
      {(control) => <Combobox {...control} {...rest} label={label} suggest={suggest} />}
    </Field>
  );
}
