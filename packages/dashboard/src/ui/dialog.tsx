import type { ComponentChildren } from "preact";
import { useEffect, useId, useRef } from "preact/hooks";
import { useWork } from "./work.tsx";

interface DialogProps {
  readonly title: string;
  /** Is called when the dialog closes, also by the Escape key. */
  readonly onClose: () => void;
  /** Asked before the Escape key closes it; null: it does at once. */
  readonly asked?: string | null;
  readonly children: ComponentChildren;
}

/** A dialog over the page, as long as it is rendered. */
export function Dialog({ title, onClose, asked = null, children }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const heading = useId();
  useEffect(() => dialog.current?.showModal(), []);
  return (
    <dialog
      ref={dialog}
      aria-labelledby={heading}
      onCancel={(event) => {
        if (asked !== null && !confirm(asked)) event.preventDefault();
      }}
      onClose={onClose}
    >
      <h2 id={heading}>{title}</h2>
      {children}
    </dialog>
  );
}

interface QuestionProps {
  readonly title: string;
  readonly children: ComponentChildren;
  /** The text of the button that confirms. */
  readonly action: string;
  readonly isDangerous?: boolean;
  readonly isDisabled?: boolean;
  readonly onConfirm: () => Promise<unknown>;
  readonly onClose: (isDone: boolean) => void;
}

/** Asks before something is done, and says why it could not be. */
export function Question({ title, children, action, onConfirm, onClose, ...rest }: QuestionProps) {
  const { isDangerous = false, isDisabled = false } = rest;
  const { isBusy, run, notice } = useWork();
  return (
    <Dialog title={title} onClose={() => onClose(false)}>
      {children}
      {notice}
      <div class="buttons">
        <button type="button" onClick={() => onClose(false)}>
          Cancel
        </button>
        <button
          type="button"
          class={isDangerous ? "danger" : "primary"}
          disabled={isDisabled || isBusy}
          onClick={async () => (await run(onConfirm)) && onClose(true)}
        >
          {action}
        </button>
      </div>
    </Dialog>
  );
}
