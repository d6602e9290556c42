import type { ComponentChildren } from "preact";
import { useEffect, useId, useRef, useState } from "preact/hooks";
import { api } from "../api.ts";
import { TextField } from "./field.tsx";
import { Show, useLoad, useWork } from "./load.tsx";
import { Button } from "./page.tsx";

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

interface QuestionProps extends Pick<DialogProps, "title" | "children"> {
  /** The text of the button that confirms. */
  readonly action: string;
  readonly isDangerous?: boolean;
  readonly isDisabled?: boolean;
  readonly onConfirm: () => Promise<unknown>;
  readonly onClose: (isDone: boolean) => void;
}

/** Asks before something is done, and says why it could not be. */
export function Question({ title, children, action, onConfirm, onClose, ...rest }: QuestionProps) {
  const { isBusy, run, notice } = useWork();
  return (
    <Dialog title={title} onClose={() => onClose(false)}>
      {children}
      {notice}
      <div class="buttons">
        <Button onClick={() => onClose(false)}>Cancel</Button>
        <Button
          look={rest.isDangerous ? "danger" : "primary"}
          disabled={rest.isDisabled || isBusy}
          onClick={async () => (await run(onConfirm)) && onClose(true)}
        >
          {action}
        </Button>
      </div>
    </Dialog>
  );
}

type What = Parameters<typeof api.erasure.eraseMemories>[0];

export interface EraseProps extends Pick<QuestionProps, "title" | "children" | "onClose"> {
  readonly what: What;
  /** Must be typed before much is erased; left out: nothing must. */
  readonly word?: string | undefined;
}

/** Counts what an erasure takes, and erases it once somebody confirmed that. */
export function Erase({ what, title, word = "", children, onClose }: EraseProps) {
  const [typed, setTyped] = useState("");
  const counts = useLoad(
    (signal) => api.erasure.eraseMemories(what, { signal }),
    [JSON.stringify(what)],
  );
  return (
    <Question
      title={title}
      action="Erase for good"
      isDangerous
      isDisabled={typed !== word || counts.value === null}
      onConfirm={() => eraseAll(what)}
      onClose={onClose}
    >
      {children}
      <Show of={counts}>
        {({ memoryCount, rejectedFactCount }) => (
          <p>
            It takes <strong>{numberOf(memoryCount, "memory", "memories")}</strong> with their
            history, and {numberOf(rejectedFactCount, "rejected fact", "rejected facts")}. Chains
            close over the gap. Nothing brings them back.
          </p>
        )}
      </Show>
      {word !== "" && <TextField label={`Type ${word} to go on`} value={typed} onText={setTyped} />}
    </Question>
  );
}

/** A call erases only so much. */
async function eraseAll(what: What): Promise<void> {
  while ((await api.erasure.eraseMemories({ ...what, confirmed: true })).isPartial);
}

const numberOf = (count: number, one: string, many: string) =>
  `${count.toLocaleString()} ${count === 1 ? one : many}`;
