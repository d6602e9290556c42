import type { ComponentChildren, ComponentProps } from "preact";
import { useId, useState } from "preact/hooks";
import { api } from "../api.ts";
import { goWith, route } from "../route.ts";
import { useLoad } from "./load.tsx";

interface Labelled {
  readonly label: string;
  readonly hint?: ComponentChildren;
}

interface FieldProps extends Labelled {
  /** Renders the control, with what connects it to its label and hint. */
  readonly children: (control: object) => ComponentChildren;
}

/** A control of a form with its label and, where it needs one, an explanation. */
export function Field({ label, hint, children }: FieldProps) {
  const id = useId();
  const hintId = `${id}-hint`;
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {children({ id, "aria-describedby": hint === undefined ? undefined : hintId })}
      {hint !== undefined && (
        <p class="hint" id={hintId}>
          {hint}
        </p>
      )}
    </div>
  );
}

interface TextFieldProps
  extends Labelled,
    Pick<ComponentProps<"input">, "required" | "maxLength" | "min" | "max" | "step"> {
  readonly type?: "text" | "search" | "date" | "number" | "range";
  readonly value: string | number;
  readonly placeholder?: string;
  /** The ID of a list of suggestions. */
  readonly list?: string;
  readonly onFocus?: () => void;
  /** As it is typed. */
  readonly onText?: (text: string) => void;
  /** Once it was entered. */
  readonly onEntered?: (text: string) => void;
}

export function TextField({ label, hint, value, onText, onEntered, ...rest }: TextFieldProps) {
  /** While somebody types: whatever is shown anew meanwhile leaves it. */
  const [typed, setTyped] = useState<string | null>(null);
  return (
    <Field label={label} hint={hint}>
      {(control) => (
        <input
          dir="auto"
          autocomplete="off"
          {...control}
          // Which attributes go with which type is checked by who uses it.
          {...(rest as object)}
          value={typed ?? value}
          onInput={({ currentTarget }) => {
            setTyped(currentTarget.value);
            onText?.(currentTarget.value);
          }}
          onChange={({ currentTarget }) => {
            setTyped(null);
            onEntered?.(currentTarget.value.trim());
          }}
          onBlur={() => setTyped(null)}
        />
      )}
    </Field>
  );
}

interface ChoiceProps extends Labelled {
  readonly value: string;
  /** The label of each value. */
  readonly options: Readonly<Record<string, string>>;
  readonly onChoose: (value: string) => void;
}

export function Choice({ label, hint, value, options, onChoose }: ChoiceProps) {
  return (
    <Field label={label} hint={hint}>
      {(control) => (
        <select
          {...control}
          value={value}
          onChange={({ currentTarget }) => onChoose(currentTarget.value)}
        >
          {Object.entries(options).map(([each, text]) => (
            <option key={each} value={each}>
              {text}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}

interface CheckProps {
  readonly type?: "checkbox" | "radio";
  readonly name?: string;
  readonly checked: boolean;
  readonly onToggle: () => void;
  readonly children: ComponentChildren;
}

export function Check({ type = "checkbox", onToggle, children, ...rest }: CheckProps) {
  return (
    <label class="check">
      <input type={type as "checkbox"} {...rest} onChange={onToggle} />
      <span>{children}</span>
    </label>
  );
}

interface InAddressProps {
  /** The parameter of the address that has the value. */
  readonly name: string;
  readonly label: string;
}

export function FilterField({ name, ...rest }: InAddressProps & Omit<TextFieldProps, "value">) {
  const value = route.value.query.get(name) ?? "";
  return <TextField {...rest} value={value} onEntered={(text) => goWith({ [name]: text })} />;
}

/** One of some values by which a list is narrowed; the first one stands in no address. */
export function FilterChoice({ name, ...rest }: InAddressProps & Pick<ChoiceProps, "options">) {
  const value = route.value.query.get(name) ?? "";
  return <Choice {...rest} value={value} onChoose={(chosen) => goWith({ [name]: chosen })} />;
}

/** How long nobody types before suggestions are asked for. */
const PAUSE_MS = 120;

interface KnownValueProps
  extends Pick<TextFieldProps, "label" | "value" | "placeholder" | "onEntered"> {
  /** As the service calls it: "topic", "source" or "session_id"; "tenant_id" is of all tenants. */
  readonly field: string;
  /** The tenant whose memories have it; "": the default tenant. */
  readonly tenant?: string;
}

export function KnownValue({ field, tenant = "", ...rest }: KnownValueProps) {
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
