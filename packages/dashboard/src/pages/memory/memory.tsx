import type { Memory } from "@agent-memory/gen/agentmemory/v1/memory_pb";
import type { GetMemoryAuditResponse } from "@agent-memory/gen/agentmemory/v1/memory_service_pb";
import { timestampMs } from "@bufbuild/protobuf/wkt";
import { Code, ConnectError } from "@connectrpc/connect";
import { useState } from "preact/hooks";
import { api } from "../../api.ts";
import { hrefOf, route } from "../../route.ts";
import { Copied } from "../../ui/copied.tsx";
import { dayOf } from "../../ui/days.ts";
import { Show, useLoad } from "../../ui/load.tsx";
import { Trail } from "../../ui/page-head.tsx";
import { Pairs } from "../../ui/pairs.tsx";
import { State } from "../../ui/state.tsx";
import { Time } from "../../ui/time.tsx";
import { useTitle } from "../../ui/title.ts";
import { readFilters } from "../memories/memory-filters.ts";
import { Actions } from "./actions.tsx";
import { Chain } from "./chain.tsx";
import { History } from "./history.tsx";
import { type LoadedChain, loadChain } from "./load-chain.ts";
import { Provenance } from "./provenance.tsx";

interface Told {
  readonly memory: Memory;
  readonly chain: LoadedChain;
  readonly audit: GetMemoryAuditResponse;
}

/** One memory: what it says, since when, where it comes from, and what became of it. */
export function MemoryPage({ id }: { readonly id: string }) {
  const told = useLoad((signal) => loadMemory(id, signal), [id]);
  return <Show of={told}>{(value) => <MemoryDetails {...value} onChange={told.reload} />}</Show>;
}

const NO_MEMORY = [Code.NotFound, Code.PermissionDenied, Code.InvalidArgument];
const NO_MEMORY_SENTENCE = "No memory has this ID: it was erased, or belongs to another account.";

async function loadMemory(memoryId: string, signal: AbortSignal): Promise<Told> {
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

function MemoryDetails({ onChange, ...told }: Told & { readonly onChange: () => void }) {
  const { memory, chain, audit } = told;
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
          {validTo !== undefined && (
            <>
              {" to "}
              <Time at={validTo} />
            </>
          )}
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
      {!isWhole && (
        <button type="button" onClick={() => setWhole(true)}>
          Show all
        </button>
      )}
    </>
  );
}
