import { useState } from "preact/hooks";
import { api } from "../../api.ts";
import { Question } from "../../ui/dialog.tsx";
import { Field } from "../../ui/field.tsx";

interface EraseTenantProps {
  readonly tenant: string;
  readonly onClose: (isErased: boolean) => void;
}

/** Erases what a tenant has, once its name was typed. */
export function EraseTenant({ tenant, onClose }: EraseTenantProps) {
  const [typed, setTyped] = useState("");
  return (
    <Question
      title={`Erase ${tenant}?`}
      action="Erase for good"
      isDangerous
      isDisabled={typed !== tenant}
      onConfirm={() => api.memories.deleteMemories({ tenantId: tenant })}
      onClose={onClose}
    >
      <p>Every memory of this tenant is deleted, with its history. Nothing brings them back.</p>
      <Field label={`Type ${tenant} to go on`}>
        {(control) => (
          <input
            {...control}
            value={typed}
            autocomplete="off"
            onInput={({ currentTarget }) => setTyped(currentTarget.value)}
          />
        )}
      </Field>
    </Question>
  );
}
