import type { Memory } from "@agent-memory/gen/agentmemory/v1/memory_pb";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { useState } from "preact/hooks";
import { api } from "../../api.ts";
import { go, hrefOf, route } from "../../route.ts";
import { Combobox, type Suggestion } from "../../ui/combobox.tsx";
import { Question } from "../../ui/dialog.tsx";
import { Erase } from "../../ui/erase.tsx";
import { Field } from "../../ui/field.tsx";
import type { ChainVersion } from "./load-chain.ts";
import { WriteMemory } from "./write-memory.tsx";

const MAX_SUGGESTIONS = 8;

interface ActionsProps {
  readonly version: ChainVersion;
  /** The part of the chain that was loaded. */
  readonly all: readonly ChainVersion[];
  readonly onChange: () => void;
}

/** The actions on a version: end it, undo its end by the classifier, or erase it. */
export function Actions({ version: { memory, end }, all, onChange }: ActionsProps) {
  const [asked, setAsked] = useState<"correct" | "end" | "restore" | "erase" | null>(null);
  const close = (isDone: boolean) => {
    setAsked(null);
    if (isDone) onChange();
  };
  const replacement = all.find((each) => each.memory.id === memory.supersededBy);
  const isRestorable =
    memory.temporal?.isSuperseded &&
    end?.confidence !== undefined &&
    !replacement?.memory.temporal?.isSuperseded;
  return (
    <span class="actions">
      {memory.temporal?.isCurrent && (
        <>
          <button type="button" onClick={() => setAsked("correct")}>
            Correct <span class="unseen">: {memory.decision}</span>
          </button>
          <button type="button" onClick={() => setAsked("end")}>
            Mark as no longer true <span class="unseen">: {memory.decision}</span>
          </button>
        </>
      )}
      {isRestorable && (
        <button type="button" onClick={() => setAsked("restore")}>
          Restore <span class="unseen">: {memory.decision}</span>
        </button>
      )}
      <button type="button" onClick={() => setAsked("erase")}>
        Erase <span class="unseen">: {memory.decision}</span>
      </button>
      {asked === "correct" && (
        <WriteMemory
          tenant={memory.tenantId ?? ""}
          corrected={{ version: { memory, end }, all }}
          onClose={close}
        />
      )}
      {asked === "erase" && <EraseMemory memory={memory} onClose={close} />}
      {asked === "end" && <EndMemory memory={memory} onClose={close} />}
      {asked === "restore" && <RestoreMemory memory={memory} onClose={close} />}
    </span>
  );
}

interface ActionProps {
  readonly memory: Memory;
  readonly onClose: (isDone: boolean) => void;
}

function EndMemory({ memory: { id, decision, tenantId }, onClose }: ActionProps) {
  const [replacement, setReplacement] = useState({ id: "", label: "" });
  const supersededBy = replacement.id;
  const end = () =>
    api.memories.supersedeMemory({
      memoryId: id,
      ...(supersededBy === ""
        ? { validTo: timestampFromDate(new Date(Date.now())) }
        : { supersededBy }),
    });
  return (
    <Question
      title="No longer true?"
      action="Mark as no longer true"
      onConfirm={end}
      onClose={onClose}
    >
      <p>“{decision}” is no longer believed from then on. Its history stays.</p>
      <Field
        label="Replaced by"
        hint="The memory that holds instead, by its words or its ID: this one ends where that begins. Empty: it ends now."
      >
        {(control) => (
          <Combobox
            {...control}
            label="Replaced by"
            value={replacement.label}
            placeholder="None"
            suggest={async (text, signal) =>
              (await memoriesAbout(text || decision, tenantId, signal)).filter(
                ({ value }) => value !== id,
              )
            }
            onChange={(value, label) => setReplacement({ id: value, label })}
          />
        )}
      </Field>
    </Question>
  );
}

function EraseMemory({ memory: { id: memoryId, decision }, onClose }: ActionProps) {
  const close = (isDone: boolean) => {
    if (isDone && route.value.id === memoryId) go(hrefOf("memories"));
    else onClose(isDone);
  };
  return (
    <Erase what={{ memoryId }} title="Erase this memory?" onClose={close}>
      <p dir="auto">“{decision}”</p>
    </Erase>
  );
}

/** Memories that may replace this one, as suggestions. */
async function memoriesAbout(
  question: string,
  tenantId: string | undefined,
  signal: AbortSignal,
): Promise<Suggestion[]> {
  const { memories } = await api.memories.searchMemories(
    { question, tenantId, limit: MAX_SUGGESTIONS },
    { signal },
  );
  return memories.flatMap(({ memory }) =>
    memory === undefined ? [] : [{ value: memory.id, label: memory.decision }],
  );
}

function RestoreMemory({ memory: { id, decision }, onClose }: ActionProps) {
  return (
    <Question
      title="Restore this memory?"
      action="Restore"
      onConfirm={() => api.memories.restoreMemory({ memoryId: id })}
      onClose={onClose}
    >
      <p>“{decision}” is believed again, as if the classifier had not ended it.</p>
    </Question>
  );
}
