import type { Memory } from "@agent-memory/gen/agentmemory/v1/memory_pb";
import { type Timestamp, timestampMs } from "@bufbuild/protobuf/wkt";
import { hrefOf, route } from "../../route.ts";
import { type Column, Table } from "../../ui/list.tsx";
import { Share, State, Time } from "../../ui/value.tsx";

/** A memory in a list; with a search, how much it has to do with it. */
export interface Row {
  readonly memory: Memory;
  readonly relevance: number | null;
}

const msOf = (time: Timestamp | undefined) => (time === undefined ? 0 : timestampMs(time));

const RELEVANCE: Column<Row> = {
  name: "Relevance",
  sizeOf: ({ relevance }) => relevance ?? 0,
  cellOf: ({ relevance }) => <Relevance value={relevance ?? 0} />,
};
const COLUMNS: readonly Column<Row>[] = [
  {
    name: "Importance",
    sizeOf: ({ memory }) => memory.importanceScore,
    cellOf: ({ memory }) => memory.importanceScore,
  },
  {
    name: "True from",
    sizeOf: ({ memory }) => msOf(memory.validFrom),
    cellOf: ({ memory: { validFrom, validTo } }) => (
      <>
        <Time at={validFrom} withDayAlone />
        {validTo !== undefined && " – "}
        {validTo !== undefined && <Time at={validTo} withDayAlone />}
      </>
    ),
  },
  {
    name: "Learned",
    sizeOf: ({ memory }) => msOf(memory.createdAt),
    cellOf: ({ memory }) => <Time at={memory.createdAt} withDayAlone />,
  },
];

export function MemoryTable({ rows }: { readonly rows: readonly Row[] }) {
  const isSearch = rows.some(({ relevance }) => relevance !== null);
  return (
    <Table
      class="memories"
      rows={rows}
      columns={[{ name: "Memory", cellOf: told }, ...(isSearch ? [RELEVANCE] : []), ...COLUMNS]}
      keyOf={({ memory }) => memory.id}
      sortedBy={isSearch ? "Relevance" : "Learned"}
    />
  );
}

/** What a memory says, and what it is about. */
function told({ memory }: Row) {
  const list = Object.fromEntries(route.value.query);
  return (
    <>
      <a dir="auto" href={hrefOf("memories", memory.id, list)}>
        {memory.decision}
      </a>
      <p class="hint">
        {!memory.temporal?.isCurrent && <State memory={memory} />}
        <bdi>{memory.topic}</bdi>
        <bdi>{memory.source}</bdi>
        {Object.entries(memory.metadata).map(([key, value]) => (
          <bdi key={key} class="truncated">
            {key}: {value}
          </bdi>
        ))}
      </p>
    </>
  );
}

/** How much a memory has to do with what was asked, from 0 to 1. */
export function Relevance({ value }: { readonly value: number }) {
  return (
    <span class="relevance">
      <Share label="Relevance" value={value} max={1} />
      <span class="hint">{value.toFixed(2)}</span>
    </span>
  );
}
