import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { useState } from "preact/hooks";
import type { Memory } from "../../../../gen/agentmemory/v1/memory_pb.ts";
import type { AuditEvent } from "../../../../gen/agentmemory/v1/memory_service_pb.ts";
import { api, sentenceOf } from "../../api.ts";
import { nowMs } from "../../clock.ts";
import { Question } from "../../ui/dialog.tsx";
import { Field } from "../../ui/field.tsx";
import { Failed } from "../../ui/notice.tsx";

interface ActionsProps {
  readonly memory: Memory;
  readonly history: readonly AuditEvent[];
  readonly onChange: () => void;
}

/** What can be done with a memory: to end it, or to take back that the classifier did. */
export function Actions({ memory, history, onChange }: ActionsProps) {
  const [asked, setAsked] = useState<"end" | "restore" | null>(null);
  const close = (isDone: boolean) => {
    setAsked(null);
    if (isDone) onChange();
  };
  const lastEnd = history.findLast(({ event }) => event === "superseded" || event === "retracted");
  const isRestorable = memory.temporal?.isSuperseded && lastEnd?.actor === "classifier";
  return (
    <span class="actions">
      {memory.temporal?.isCurrent && (
        <button type="button" onClick={() => setAsked("end")}>
          End it
        </button>
      )}
      {isRestorable && (
        <button type="button" onClick={() => setAsked("restore")}>
          Restore
        </button>
      )}
      {asked === "end" && <EndMemory memory={memory} onClose={close} />}
      {asked === "restore" && <RestoreMemory memory={memory} onClose={close} />}
    </span>
  );
}

interface ActionProps {
  readonly memory: Memory;
  readonly onClose: (isDone: boolean) => void;
}

function EndMemory({ memory: { id, decision }, onClose }: ActionProps) {
  const [replacement, setReplacement] = useState("");
  const [problem, setProblem] = useState<string | null>(null);
  const supersededBy = replacement.trim();
  const end = () =>
    api.memories
      .supersedeMemory({
        memoryId: id,
        ...(supersededBy === ""
          ? { validTo: timestampFromDate(new Date(nowMs())) }
          : { supersededBy }),
      })
      .then(
        () => onClose(true),
        (error: unknown) => setProblem(sentenceOf(error)),
      );
  return (
    <Question
      title="End this memory?"
      action="End it"
      onConfirm={end}
      onClose={() => onClose(false)}
    >
      <p>“{decision}” is no longer believed from then on. Its history stays.</p>
      <Field
        label="Replaced by"
        hint="The ID of the memory that holds instead: this one ends where that begins. Empty: it ends now."
      >
        {(control) => (
          <input
            {...control}
            value={replacement}
            autocomplete="off"
            onInput={({ currentTarget }) => setReplacement(currentTarget.value)}
          />
        )}
      </Field>
      {problem !== null && <Failed>{problem}</Failed>}
    </Question>
  );
}

function RestoreMemory({ memory: { id, decision }, onClose }: ActionProps) {
  const [problem, setProblem] = useState<string | null>(null);
  const restore = () =>
    api.memories.restoreMemory({ memoryId: id }).then(
      () => onClose(true),
      (error: unknown) => setProblem(sentenceOf(error)),
    );
  return (
    <Question
      title="Restore this memory?"
      action="Restore"
      onConfirm={restore}
      onClose={() => onClose(false)}
    >
      <p>“{decision}” is believed again, as if the classifier had not ended it.</p>
      {problem !== null && <Failed>{problem}</Failed>}
    </Question>
  );
}
