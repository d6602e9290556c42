import { timestampDate, timestampFromDate } from "@bufbuild/protobuf/wkt";
import { useState } from "preact/hooks";
import { api } from "../../api.ts";
import { dayOf, startOfDay } from "../../ui/days.ts";
import { Question } from "../../ui/dialog.tsx";
import { Field, TextField } from "../../ui/field.tsx";
import { ChainPicture } from "./chain-picture.tsx";
import type { ChainVersion } from "./load-chain.ts";

interface Corrected {
  readonly version: ChainVersion;
  /** The part of its chain that was loaded. */
  readonly all: readonly ChainVersion[];
}

interface WriteMemoryProps {
  /** "": the default tenant. */
  readonly tenant: string;
  /** The version that the memory replaces; null: it replaces none. */
  readonly corrected: Corrected | null;
  readonly onClose: (isDone: boolean) => void;
}

/** A new memory, or a new version of one, with the chain that comes of it. */
export function WriteMemory({ tenant, corrected, onClose }: WriteMemoryProps) {
  const old = corrected?.version.memory;
  const oldStart = old?.validFrom && timestampDate(old.validFrom);
  const [text, setText] = useState(old?.decision ?? "");
  const [topic, setTopic] = useState(old?.topic ?? "");
  const [reason, setReason] = useState("");
  const [day, setDay] = useState("");
  // One attempt stores it once, however often it is sent.
  const [attempt] = useState(() => Date.now());
  const changedAt = day === "" ? undefined : new Date(startOfDay(day));
  const validFrom = changedAt ?? oldStart;
  const save = async () => {
    const { result } = await api.memories.createMemories(
      {
        content: text.trim(),
        topic: topic.trim() || undefined,
        tenantId: (old === undefined ? tenant : old.tenantId) || undefined,
        source: "dashboard",
        importanceScore: old?.importanceScore,
        metadata: old?.metadata ?? {},
        validFrom: validFrom && timestampFromDate(validFrom),
      },
      { headers: { "idempotency-key": `${old?.id ?? "added"}-${attempt}-${text.length}-${day}` } },
    );
    if (result.case !== "content" || old === undefined) return;
    const supersededBy = result.value.memoryId;
    await api.chain.correctMemory({ memoryId: old.id, supersededBy, reason: reason.trim() });
  };
  const isChanged = text.trim() !== "" && text.trim() !== old?.decision;
  return (
    <Question
      title={old === undefined ? "Add a memory" : "Correct this memory"}
      action={old === undefined ? "Add" : "Save the new version"}
      isDisabled={!isChanged || (old !== undefined && reason.trim() === "")}
      onConfirm={save}
      onClose={onClose}
    >
      <Field label="Memory" hint="One fact, as it is to be remembered.">
        {(control) => (
          <textarea
            {...control}
            dir="auto"
            rows={3}
            value={text}
            onInput={({ currentTarget: { value } }) => setText(value)}
          />
        )}
      </Field>
      <TextField
        label="True from"
        hint={
          old === undefined
            ? "Empty: from now on."
            : "Empty: from the start, so that the old text never held. A day: the old text held until then."
        }
        type="date"
        max={dayOf(new Date())}
        value={day}
        onText={setDay}
      />
      {old === undefined ? (
        <TextField label="Topic" value={topic} placeholder="General" onText={setTopic} />
      ) : (
        <TextField
          label="Reason"
          hint="It stays in the history of the old version."
          value={reason}
          onText={setReason}
        />
      )}
      {corrected !== null && isChanged && (
        <ChainPicture
          title="The chain once it is saved"
          versions={correctedChain(corrected, text.trim(), validFrom)}
          shownId={NEW_ID}
          time="valid"
        />
      )}
    </Question>
  );
}

const NEW_ID = "new";

/** The chain as it will be. */
function correctedChain(
  { version: { memory }, all }: Corrected,
  decision: string,
  start: Date | undefined,
): readonly ChainVersion[] {
  const validFrom = start && timestampFromDate(start);
  const replaced = { ...memory, validTo: validFrom, supersededBy: NEW_ID };
  const ended = replaced.temporal && { ...replaced.temporal, isCurrent: false };
  const added = { ...memory, id: NEW_ID, decision, validFrom };
  return [
    ...all.map((each) =>
      each.memory.id === memory.id ? { ...each, memory: { ...replaced, temporal: ended } } : each,
    ),
    { memory: added, end: null },
  ] as readonly ChainVersion[];
}
