import type {
  EraseMemoriesRequest,
  EraseMemoriesRequestSchema,
} from "@agent-memory/gen/agentmemory/dashboard/v1/own_erasure_service_pb";
import type { MessageInitShape } from "@bufbuild/protobuf";
import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { api } from "../api.ts";
import { Question } from "./dialog.tsx";
import { TextField } from "./field.tsx";
import { Show, useLoad } from "./load.tsx";

type What = Pick<
  Exclude<MessageInitShape<typeof EraseMemoriesRequestSchema>, EraseMemoriesRequest>,
  "memoryId" | "scope" | "wholeAccount"
>;

interface EraseProps {
  readonly what: What;
  readonly title: string;
  /** Must be typed before much is erased; left out: nothing must. */
  readonly word?: string | undefined;
  readonly children: ComponentChildren;
  readonly onClose: (isErased: boolean) => void;
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
