import type { Memory } from "@agent-memory/gen/agentmemory/v1/memory_pb";
import { timestampDate, timestampFromDate } from "@bufbuild/protobuf/wkt";
import { useMemo, useState } from "preact/hooks";
import { api } from "../../api.ts";
import { go, hrefOf, route } from "../../route.ts";
import { Erase, Question } from "../../ui/dialog.tsx";
import { Check, Field, TextField } from "../../ui/field.tsx";
import { Show, useLoad } from "../../ui/load.tsx";
import { Button } from "../../ui/page.tsx";
import { dayOf, startOfDay } from "../../ui/value.tsx";
import { ChainPicture } from "./chain-picture.tsx";
import type { ChainVersion } from "./load-chain.ts";

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
    if (isDone && asked === "erase" && route.value.id === memory.id) go(hrefOf("memories"));
    else if (isDone) onChange();
  };
  const replacement = all.find((each) => each.memory.id === memory.supersededBy);
  const isRestorable =
    memory.temporal?.isSuperseded &&
    end?.confidence !== undefined &&
    !replacement?.memory.temporal?.isSuperseded;
  const button = (what: NonNullable<typeof asked>, label: string) => (
    <Button onClick={() => setAsked(what)}>
      {label} <span class="unseen">: {memory.decision}</span>
    </Button>
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
      {asked === "erase" && (
        <Erase what={{ memoryId: memory.id }} title="Erase this memory?" onClose={close}>
          <p dir="auto">“{memory.decision}”</p>
        </Erase>
      )}
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

type EndMemoryProps = Pick<WriteMemoryProps, "onClose"> & { readonly memory: Memory };

function EndMemory({ memory: { id, decision, tenantId }, onClose }: EndMemoryProps) {
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

type Corrected = Omit<ActionsProps, "onChange">;

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
  // The same is stored once, however often it is sent.
  const attempt = useMemo(() => Date.now(), [text, topic, day]);
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
      { headers: { "idempotency-key": `${old?.id ?? "added"}-${attempt}` } },
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
          hint="Required. It stays in the history of the old version."
          required
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
function correctedChain({ version: { memory }, all }: Corrected, decision: string, start?: Date) {
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
