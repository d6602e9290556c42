import { useState } from "preact/hooks";
import { api, sentenceOf } from "../../api.ts";
import { Question } from "../../ui/dialog.tsx";
import { Field } from "../../ui/field.tsx";
import { Failed } from "../../ui/notice.tsx";

interface EraseTenantProps {
  readonly tenant: string;
  readonly onClose: (isErased: boolean) => void;
}

/** Erases what a tenant has, once its name was typed. */
export function EraseTenant({ tenant, onClose }: EraseTenantProps) {
  const [typed, setTyped] = useState("");
  const [problem, setProblem] = useState<string | null>(null);
  const erase = () =>
    api.memories.deleteMemories({ tenantId: tenant }).then(
      () => onClose(true),
      (error: unknown) => setProblem(sentenceOf(error)),
    );
  return (
    <Question
      title={`Erase ${tenant}?`}
      action="Erase for good"
      isDangerous
      isDisabled={typed !== tenant}
      onConfirm={erase}
      onClose={() => onClose(false)}
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
      {problem !== null && <Failed>{problem}</Failed>}
    </Question>
  );
}
