import { useState } from "preact/hooks";

interface CopiedProps {
  readonly text: string;
  /** The label for screen readers. */
  readonly label: string;
}

/** A text to paste elsewhere, with a button that copies it. */
export function Copied({ text, label }: CopiedProps) {
  const [state, setState] = useState("Copy");
  const copy = () =>
    navigator.clipboard.writeText(text).then(
      () => setState("Copied"),
      () => setState("Select it to copy"),
    );
  return (
    <div class="copied">
      <textarea
        readOnly
        rows={text.trimEnd().split("\n").length}
        aria-label={label}
        value={text}
        onFocus={({ currentTarget }) => currentTarget.select()}
      />
      <button type="button" aria-label={`${state}: ${label}`} onClick={copy}>
        {state}
      </button>
    </div>
  );
}
