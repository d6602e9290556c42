import type { Memory } from "@agent-memory/gen/agentmemory/v1/memory_pb";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { useState } from "preact/hooks";
import { api } from "../../api.ts";
import { go, hrefOf, route } from "../../route.ts";
import { Question } from "../../ui/dialog.tsx";
import { Erase } from "../../ui/erase.tsx";
import { Check, TextField } from "../../ui/field.tsx";
import { Show, useLoad } from "../../ui/load.tsx";
import type { ChainVersion } from "./load-chain.ts";
import { WriteMemory } from "./write-memory.tsx";

const MAX_SUGGESTIONS = 8;
const IS_ID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i;

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
  const button = (what: NonNullable<typeof asked>, label: string) => (
    <button type="button" onClick={() => setAsked(what)}>
      {label} <span class="unseen">: {memory.decision}</span>
    </button>
  );
  return (
    <span class="actions">
      {memory.temporal?.isCurrent && button("correct", "Correct")}
      {memory.temporal?.isCurrent && button("end", "Mark as no longer true")}
      {isRestorable && button("restore", "Restore")}
      {button("erase", "Erase")}
      {asked === "correct" && (
        <WriteMemory
          tenant={memory.tenantId ?? ""}
          corrected={{ version: { memory, end }, all }}
          onClose={close}
        />
      )}
      {asked === "erase" && <EraseMemory memory={memory} onClose={close} />}
      {asked === "end" && <EndMemory memory={memory} onClose={close} />}
      {asked === "restore" && (
        <Question
          title="Restore this memory?"
          action="Restore"
          onConfirm={() => api.memories.restoreMemory({ memoryId: memory.id })}
          onClose={close}
        >
          <p>“{memory.decision}” is believed again, as if the classifier had not ended it.</p>
        </Question>
      )}
    </span>
  );
}

interface ActionProps {
  readonly memory: Memory;
  readonly onClose: (isDone: boolean) => void;
}

function EndMemory({ memory: { id, decision, tenantId }, onClose }: ActionProps) {
  const [text, setText] = useState("");
  /** null: none. */
  const [supersededBy, setReplacement] = useState<string | null>(null);
  const found = useLoad(
    async (signal) => {
      if (IS_ID.test(text)) return [{ memory: { id: text, decision: text } }];
      const asked = { question: text || decision, tenantId, limit: MAX_SUGGESTIONS };
      return (await api.memories.searchMemories(asked, { signal })).memories;
    },
    [text],
  );
  const end = () =>
    api.memories.supersedeMemory({
      memoryId: id,
      ...(supersededBy === null ? { validTo: timestampFromDate(new Date()) } : { supersededBy }),
    });
  const choiceOf = (value: string | null, label: string) => (
    <Check
      key={value}
      type="radio"
      name="replacement"
      checked={supersededBy === value}
      onToggle={() => setReplacement(value)}
    >
      <bdi>{label}</bdi>
    </Check>
  );
  return (
    <Question
      title="No longer true?"
      action="Mark as no longer true"
      onConfirm={end}
      onClose={onClose}
    >
      <p>“{decision}” is no longer believed from then on. Its history stays.</p>
      <TextField
        label="Find what holds instead"
        hint="By its words or its ID. This one ends where that begins."
        type="search"
        value={text}
        onEntered={setText}
      />
      <fieldset>
        <legend>Replaced by</legend>
        {choiceOf(null, "No other memory: it ends now")}
        <Show of={found}>
          {(memories) =>
            memories.map(
              ({ memory }) => memory && memory.id !== id && choiceOf(memory.id, memory.decision),
            )
          }
        </Show>
      </fieldset>
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
