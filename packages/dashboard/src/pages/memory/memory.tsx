import type { ApiKey } from "@agent-memory/gen/agentmemory/admin/v1/api_key_service_pb";
import type { Memory } from "@agent-memory/gen/agentmemory/v1/memory_pb";
import type { AuditEvent } from "@agent-memory/gen/agentmemory/v1/memory_service_pb";
import { timestampMs } from "@bufbuild/protobuf/wkt";
import { Code, ConnectError } from "@connectrpc/connect";
import { useState } from "preact/hooks";
import { api } from "../../api.ts";
import { hrefOf, route } from "../../route.ts";
import { Show, useLoad } from "../../ui/load.tsx";
import { Button, Trail, useTitle } from "../../ui/page.tsx";
import { Copied, dayOf, Marked, Pairs, State, Time } from "../../ui/value.tsx";
import { listKeys, nameOf } from "../keys/key-names.ts";
import { readFilters } from "../memories/filters.tsx";
import { Actions } from "./actions.tsx";
import { Chain } from "./chain.tsx";
import { loadChain } from "./load-chain.ts";

/** One memory: what it says, since when, where it comes from, and what became of it. */
export function MemoryPage({ id }: { readonly id: string }) {
  const told = useLoad((signal) => loadMemory(id, signal), [id]);
  return <Show of={told}>{(value) => <MemoryDetails {...value} onChange={told.reload} />}</Show>;
}

const NO_MEMORY = [Code.NotFound, Code.PermissionDenied, Code.InvalidArgument];
const NO_MEMORY_SENTENCE = "No memory has this ID: it was erased, or belongs to another account.";

async function loadMemory(memoryId: string, signal: AbortSignal) {
  const [{ memory }, chain, audit] = await Promise.all([
    api.memories.getMemory({ memoryId }, { signal }),
    loadChain(memoryId, signal),
    api.memories.getMemoryAudit({ memoryId }, { signal }),
  ]).catch((error: unknown) => {
    if (NO_MEMORY.includes(ConnectError.from(error).code)) throw new Error(NO_MEMORY_SENTENCE);
    throw error;
  });
  if (memory === undefined) throw new Error("the memory is not there");
  return { memory, chain, audit };
}

interface DetailsProps extends Awaited<ReturnType<typeof loadMemory>> {
  readonly onChange: () => void;
}

function MemoryDetails({ memory, chain, audit, onChange }: DetailsProps) {
  const { topic, source, tenantId: tenant, validFrom, validTo, createdAt, metadata } = memory;
  const { asOf } = readFilters(route.value.query);
  const list = { tenant, ...Object.fromEntries(route.value.query) };
  const linkTo = (narrowed: Readonly<Record<string, string>>, text: string) => (
    <a href={hrefOf("memories", null, { tenant, ...narrowed })}>{text}</a>
  );
  useTitle(memory.decision);
  return (
    <>
      <header class="page-head">
        <div>
          <Trail href={hrefOf("memories", null, list)} label="Memories" />
          <Fact text={memory.decision} />
        </div>
        {/* Of more versions each has its own, in the timeline. */}
        {chain.length < 2 &&
          chain.versions.map((version) => (
            <Actions
              key={version.memory.id}
              version={version}
              all={chain.versions}
              onChange={onChange}
            />
          ))}
      </header>
      <div class="facts">
        <State memory={memory} />
        <span>
          True from <Time at={validFrom} />
          {validTo !== undefined && " to "}
          {validTo !== undefined && <Time at={validTo} />}
        </span>
        <span class="hint">
          learned <Time at={createdAt} />
        </span>
        {asOf !== "" && (
          <span class="badge warn">
            {holdsAt(memory, Date.parse(asOf)) ? "Held" : "Did not hold"} on {dayOf(new Date(asOf))}
          </span>
        )}
      </div>
      <Chain chain={chain} shownId={memory.id} onChange={onChange} />
      <div class="columns">
        <Provenance memory={memory} audit={audit} />
        <section class="card" aria-label="Details">
          <h2>Details</h2>
          <Pairs
            of={[
              ["Topic", linkTo({ topic }, topic)],
              ["Importance", `${memory.importanceScore} of 10`],
              ["Source", linkTo({ source }, source)],
              ["Tenant", linkTo({}, tenant ?? "Default")],
            ]}
          />
          {Object.keys(metadata).length > 0 && <h3>Metadata</h3>}
          <Pairs
            of={Object.entries(metadata).map(([name, value]) => [
              name,
              linkTo({ metadata: `${name}=${value}` }, value),
            ])}
          />
          <Copied label="ID" text={memory.id} />
        </section>
      </div>
      <History history={audit.history} />
    </>
  );
}

/** Whether it was true at a moment. */
function holdsAt({ validFrom, validTo }: Memory, ms: number): boolean {
  const begins = validFrom !== undefined && timestampMs(validFrom) <= ms;
  return begins && (validTo === undefined || timestampMs(validTo) > ms);
}

/** Longer ones are shown in part, until somebody wants all of it. */
const LONG_FACT_CHARACTERS = 400;

function Fact({ text }: { readonly text: string }) {
  const [isWhole, setWhole] = useState(text.length <= LONG_FACT_CHARACTERS);
  return (
    <>
      <h1 class={isWhole ? "fact" : "fact begun"} dir="auto">
        {text}
      </h1>
      {!isWhole && <Button onClick={() => setWhole(true)}>Show all</Button>}
    </>
  );
}

function Provenance({ memory, audit }: Pick<DetailsProps, "memory" | "audit">) {
  const { provenance, extraction } = audit;
  if (provenance === undefined) return null;
  const { originalMessage, sessionId, capturedAt, mode } = provenance;
  return (
    <section class="card" aria-label="Provenance">
      <h2>Where it comes from</h2>
      {originalMessage !== memory.decision && (
        <Marked text={originalMessage} fact={memory.decision} />
      )}
      <p class="hint">
        {mode === "messages" ? "A message of a conversation" : "Stored as written"},{" "}
        <Time at={capturedAt} />
        {sessionId !== undefined && (
          <>
            , in session{" "}
            <a href={hrefOf("memories", null, { tenant: memory.tenantId, session: sessionId })}>
              <bdi>{sessionId}</bdi>
            </a>
          </>
        )}
        {extraction && `; extracted by ${extraction.provider}/${extraction.model}`}
      </p>
    </section>
  );
}

const EVENTS: Readonly<Record<string, string>> = {
  created: "Stored",
  classified: "Compared with what was believed",
  superseded: "Superseded",
  restored: "Restored",
  trimmed: "Its end was moved, for what came after",
  retracted: "Retraction in a conversation",
  imported: "Imported",
  neighbour_erased: "What stood beside it was erased",
};

function History({ history }: { readonly history: readonly AuditEvent[] }) {
  const keys = useLoad(listKeys, []);
  return (
    <section class="card" aria-label="History">
      <h2>History</h2>
      <Show of={keys}>
        {(all) => (
          <ol class="history">
            {history.map((event, index) => eventOf(event, index, whoDid(event.actor, all)))}
          </ol>
        )}
      </Show>
    </section>
  );
}

/** An actor that is neither one of these words nor a key is a session. */
function whoDid(actor: string, keys: readonly ApiKey[]): string {
  if (["classifier", "operator", "retention"].includes(actor)) return `the ${actor}`;
  const key = keys.find(({ id }) => id === actor);
  return key === undefined ? "the dashboard" : `the key ${nameOf(key)}`;
}

function eventOf({ event, at, detail = {} }: AuditEvent, index: number, by: string) {
  // Which fields there are depends on the event.
  const { superseded_by: supersededBy, confidence, reason, applied, superseded } = detail;
  return (
    <li key={index}>
      <p>
        <strong>{EVENTS[event] ?? event}</strong>{" "}
        {typeof supersededBy === "string" && (
          <>
            by <a href={hrefOf("memories", supersededBy)}>another memory</a>{" "}
          </>
        )}
        {applied === false && superseded != null && <span class="badge">shadow mode</span>}
      </p>
      {typeof reason === "string" && reason !== "" && (
        <p>
          <span class="reason">{reason}</span>
          {typeof confidence === "number" && (
            <span class="hint"> with a confidence of {confidence.toFixed(2)}</span>
          )}
        </p>
      )}
      <p class="hint">
        <Time at={at} /> by {by}
      </p>
    </li>
  );
}
