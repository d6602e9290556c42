import type { Memory } from "@agent-memory/gen/agentmemory/v1/memory_pb";
import { useState } from "preact/hooks";
import { api } from "../../api.ts";
import { hrefOf, route } from "../../route.ts";
import { Show, useLoad } from "../../ui/load.tsx";
import { Empty } from "../../ui/notice.tsx";
import { Pager, pageTokenOfAddress } from "../../ui/pager.tsx";
import { EraseTenant } from "./erase-tenant.tsx";
import { Filters } from "./filters.tsx";
import { MemoryCard } from "./memory-card.tsx";
import { hasFilters, type MemoryFilters, readFilters, requestOf } from "./memory-filters.ts";

const PAGE_SIZE = 50;
const SEARCH_LIMIT = 50;

/** The memories that hold now or held at a moment, page by page. */
export function Memories() {
  const [erasures, setErasures] = useState(0);
  const [isErasing, setErasing] = useState(false);
  const filters = readFilters(route.value.query);
  return (
    <>
      <header class="page-head">
        <div>
          <h1>Memories</h1>
          <p>{filters.asOf === "" ? "What is believed now." : "What was believed then."}</p>
        </div>
        {filters.tenant !== "" && (
          <button type="button" onClick={() => setErasing(true)}>
            Erase tenant
          </button>
        )}
      </header>
      <Filters filters={filters} />
      <MemoryPages key={JSON.stringify([filters, erasures])} filters={filters} />
      {isErasing && (
        <EraseTenant
          tenant={filters.tenant}
          onClose={(isErased) => {
            setErasing(false);
            if (isErased) setErasures(erasures + 1);
          }}
        />
      )}
    </>
  );
}

interface Page {
  readonly memories: readonly Memory[];
  readonly nextPageToken?: string | undefined;
}

function MemoryPages({ filters }: { readonly filters: MemoryFilters }) {
  const pageToken = pageTokenOfAddress();
  const page = useLoad((signal) => loadPage(filters, pageToken, signal), [pageToken]);
  return (
    <Show of={page}>
      {({ memories, nextPageToken }) => (
        <>
          {memories.length === 0 ? (
            <NoMemories filters={filters} />
          ) : (
            <ul class="memories">
              {memories.map((memory) => (
                <MemoryCard key={memory.id} memory={memory} />
              ))}
            </ul>
          )}
          <Pager nextPageToken={nextPageToken} label="Pages of memories" />
        </>
      )}
    </Show>
  );
}

async function loadPage(
  filters: MemoryFilters,
  pageToken: string | undefined,
  signal: AbortSignal,
): Promise<Page> {
  const { source, search, ended } = filters;
  const request = requestOf(filters);
  if (search !== "") {
    const sources = source === "" ? [] : [source];
    const found = await api.memories.searchMemories(
      { ...request, question: search, sources, limit: SEARCH_LIMIT },
      { signal },
    );
    const memories = found.memories.flatMap(({ memory }) => memory ?? []);
    return { memories };
  }
  return api.memories.listMemories(
    {
      ...request,
      source: source || undefined,
      includeSuperseded: ended,
      limit: PAGE_SIZE,
      pageToken,
    },
    { signal },
  );
}

function NoMemories({ filters }: { readonly filters: MemoryFilters }) {
  const isNarrowed = hasFilters(filters);
  if (isNarrowed || filters.tenant !== "") {
    const tenant = isNarrowed ? filters.tenant : "";
    return (
      <Empty title="Nothing matches">
        <p>
          <a href={hrefOf("memories", null, { tenant })}>Clear the filters</a> to see all memories
          of {tenant || "the default tenant"}.
        </p>
      </Empty>
    );
  }
  return (
    <Empty title="No memories yet">
      <p>
        Make <a href={hrefOf("keys")}>a key</a> and paste one of its lines: what it writes is listed
        here. Memories of a tenant are listed once its name is given above.
      </p>
    </Empty>
  );
}
