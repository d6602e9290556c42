import { useEffect, useState } from "preact/hooks";
import { api } from "../../api.ts";
import { go, hrefOf, route } from "../../route.ts";
import { Erase, type EraseProps } from "../../ui/dialog.tsx";
import { Check, TextField } from "../../ui/field.tsx";
import { Counted, Pager, pageTokenOfAddress } from "../../ui/list.tsx";
import { Show, useLoad, useWork } from "../../ui/load.tsx";
import { Button, Empty, PageHead } from "../../ui/page.tsx";
import { MIN_RELEVANCE } from "../ask/ask.tsx";
import { WriteMemory } from "../memory/actions.tsx";
import { WhoHasMemories } from "../tenants/tenants.tsx";
import { Changes } from "./changes.tsx";
import {
  Filters,
  hasFilters,
  type MemoryFilters,
  queryOf,
  questionOf,
  readFilters,
  requestOf,
} from "./filters.tsx";
import { MemoryTable, type Row } from "./memory-table.tsx";
import { exportMemories, Import } from "./transfer.tsx";

const PAGE_SIZE = 50;
const SEARCH_LIMIT = 50;
/** How often a list is compared with what is there by now. */
const NEWS_MS = 15_000;
const MAX_NEWS = 100;

/** The memories that hold now or held at a moment, page by page. */
export function Memories() {
  const [changes, setChanges] = useState(0);
  const [asked, setAsked] = useState<"import" | "erase" | "add" | null>(null);
  const [told, setTold] = useState<string | null>(null);
  const { run, notice } = useWork();
  const filters = readFilters(route.value.query);
  const { tenant, search, asOf, since } = filters;
  const change = (changed: Partial<MemoryFilters>) =>
    go(hrefOf("memories", null, queryOf({ ...filters, ...changed })));
  const close = (outcome: string | null) => {
    setAsked(null);
    setTold(outcome);
    if (outcome !== null) setChanges(changes + 1);
  };
  const telling = (outcome: string) => (isDone: boolean) => close(isDone ? outcome : null);
  return (
    <>
      <PageHead title="Memories" about={headlineOf(filters)}>
        <div class="buttons">
          <Button onClick={() => run(() => exportMemories(tenant))}>
            {tenant === "" ? "Export all" : "Export"}
          </Button>
          <Button onClick={() => setAsked("import")}>Import</Button>
          <Button onClick={() => setAsked("erase")}>Erase</Button>
          <Button look="primary" onClick={() => setAsked("add")}>
            Add memory
          </Button>
        </div>
      </PageHead>
      {notice}
      <div role="status">{told}</div>
      <search class="card filters">
        <Filters
          filters={filters}
          more={["source", "session", "metadata", "after", "before", "knownAt", "since"]}
          onChange={change}
        >
          <TextField
            label="Search"
            type="search"
            value={search}
            placeholder="What are the memories about?"
            onEntered={(text) => change({ search: text, near: false })}
          />
        </Filters>
        <Check checked={filters.all} onToggle={() => change({ all: !filters.all })}>
          In all tenants
        </Check>
        {search === "" && asOf === "" && since === "" && (
          <Check checked={filters.ended} onToggle={() => change({ ended: !filters.ended })}>
            Include superseded and expired
          </Check>
        )}
      </search>
      {since === "" ? (
        <MemoryPages key={JSON.stringify([filters, changes])} filters={filters} />
      ) : (
        <Changes filters={filters} onChange={change} />
      )}
      {asked === "add" && (
        <WriteMemory tenant={tenant} corrected={null} onClose={telling("The memory was added.")} />
      )}
      {asked === "import" && <Import onClose={close} />}
      {asked === "erase" && (
        <EraseListed filters={filters} onClose={telling("The memories were erased.")} />
      )}
    </>
  );
}

function headlineOf({ asOf, knownAt, since }: MemoryFilters): string {
  if (since !== "") return "What changed.";
  if (asOf === "" && knownAt === "") return "What is believed now.";
  return knownAt === "" ? "What was believed then." : "What was known then.";
}

/** Erases of a tenant what some filters say, or all of the account. */
function EraseListed({ filters, onClose }: OfList & Pick<EraseProps, "onClose">) {
  const [isAll, setAll] = useState(false);
  const { tenant } = filters;
  const { tenantId, sessionId, createdBefore, topic, metadata } = requestOf(filters);
  const source = filters.source || undefined;
  const scope = { tenantId, topic, sessionId, createdBefore, source, metadata };
  const words = (["session", "source", "topic", "metadata", "before"] as const).flatMap((name) =>
    filters[name] === "" ? [] : `${name === "before" ? "learned before" : name} ${filters[name]}`,
  );
  const whose = tenant || "the default tenant";
  const isWhole = words.length === 0;
  const word = isAll ? "everything" : isWhole ? tenant || "default" : undefined;
  return (
    <Erase
      what={isAll ? { wholeAccount: true } : { scope }}
      title={isAll ? "Erase everything?" : `Erase ${isWhole ? whose : "these memories"}?`}
      word={word}
      onClose={onClose}
    >
      <p dir="auto">
        {isAll
          ? "All memories of all tenants of this account."
          : `Of ${whose}: ${isWhole ? "all memories" : words.join(", ")}, current or not.`}
      </p>
      {tenant === "" && isWhole && (
        <Check checked={isAll} onToggle={() => setAll(!isAll)}>
          All tenants of the account
        </Check>
      )}
    </Erase>
  );
}

interface OfList {
  readonly filters: MemoryFilters;
}

function MemoryPages({ filters }: OfList) {
  const pageToken = pageTokenOfAddress();
  const page = useLoad((signal) => loadPage(filters, signal, pageToken), [pageToken]);
  // Once for all pages; of a search nothing is counted.
  const counted = useLoad(
    async (signal) =>
      filters.search === "" ? api.tenants.countMemories(listedOf(filters), { signal }) : null,
    [],
  );
  return (
    <Show of={page}>
      {({ rows, nextPageToken }) => (
        <>
          {pageToken === undefined && filters.search === "" && (
            <News filters={filters} rows={rows} onShow={page.reload} />
          )}
          {rows.length > 0 && (
            <Counted
              shown={rows.length}
              total={counted.value?.count ?? rows.length}
              isMore={counted.value?.isMore ?? false}
              what={filters.search === "" ? "memories" : "found"}
            />
          )}
          {rows.length === 0 ? <NoMemories filters={filters} /> : <MemoryTable rows={rows} />}
          <Pager nextPageToken={nextPageToken} label="Pages of memories" />
        </>
      )}
    </Show>
  );
}

async function loadPage(filters: MemoryFilters, signal: AbortSignal, pageToken?: string) {
  const { search, near } = filters;
  if (search !== "") {
    const minRelevance = near ? 0 : MIN_RELEVANCE;
    const wanted = { ...questionOf(filters), question: search, minRelevance, limit: SEARCH_LIMIT };
    const { memories } = filters.all
      ? await api.tenants.searchEveryTenant({ ...wanted, tenantId: undefined }, { signal })
      : await api.memories.searchMemories(wanted, { signal });
    return {
      rows: memories.flatMap(({ memory, relevance }) => (memory ? { memory, relevance } : [])),
    };
  }
  const asked = { ...listedOf(filters), limit: PAGE_SIZE, pageToken };
  const { memories, nextPageToken } = await api.memories.listMemories(asked, { signal });
  return { rows: memories.map((memory) => ({ memory, relevance: null })), nextPageToken };
}

function listedOf(filters: MemoryFilters) {
  const { source, ended: includeSuperseded } = filters;
  return { ...requestOf(filters), source: source || undefined, includeSuperseded };
}

interface NewsProps extends OfList {
  /** Newest first. */
  readonly rows: readonly Row[];
  readonly onShow: () => void;
}

/** Tells how many memories came since the list was read, while somebody looks at it. */
function News({ filters, rows, onShow }: NewsProps) {
  const [count, setCount] = useState(0);
  const newest = rows[0]?.memory;
  useEffect(() => {
    setCount(0);
    if (filters.asOf !== "" || filters.knownAt !== "") return;
    const look = async () => {
      if (document.hidden) return;
      const listed = listedOf(filters);
      const createdAfter = newest?.createdAt ?? listed.createdAfter;
      const news = { ...listed, createdAfter, limit: MAX_NEWS };
      setCount((await api.memories.listMemories(news)).memories.length);
    };
    const timer = setInterval(() => look().catch(() => {}), NEWS_MS);
    return () => clearInterval(timer);
  }, [newest?.id]);
  return (
    <div role="status">
      {count > 0 && (
        <Button onClick={onShow}>Show {count === MAX_NEWS ? `${count} or more` : count} new</Button>
      )}
    </div>
  );
}

function NoMemories({ filters }: OfList) {
  if (filters.search !== "" && !filters.near) {
    return (
      <Empty title="Nothing is about that">
        <a href={hrefOf("memories", null, queryOf({ ...filters, near: true }))}>
          Show the nearest all the same
        </a>
      </Empty>
    );
  }
  const isNarrowed = hasFilters(filters);
  if (isNarrowed || filters.tenant !== "") {
    const tenant = isNarrowed ? filters.tenant : "";
    return (
      <Empty title="Nothing matches">
        <a href={hrefOf("memories", null, { tenant })}>Clear the filters</a> to see all memories of{" "}
        {tenant || "the default tenant"}.
      </Empty>
    );
  }
  return <WhoHasMemories />;
}
