import type { Memory } from "@agent-memory/gen/agentmemory/v1/memory_pb";
import { type Timestamp, timestampMs } from "@bufbuild/protobuf/wkt";
import { useState } from "preact/hooks";
import { hrefOf, route } from "../../route.ts";
import { Share } from "../../ui/share.tsx";
import { State } from "../../ui/state.tsx";
import { Time } from "../../ui/time.tsx";

/** A memory in a list; with a search, how much it has to do with it. */
export interface Row {
  readonly memory: Memory;
  readonly relevance: number | null;
}

const msOf = (time: Timestamp | undefined) => (time === undefined ? 0 : timestampMs(time));
/** By what the rows of a page are sorted, largest first. */
const COLUMNS = [
  ["Relevance", ({ relevance }: Row) => relevance ?? 0],
  ["Importance", ({ memory }: Row) => memory.importanceScore],
  ["True from", ({ memory }: Row) => msOf(memory.validFrom)],
  ["Learned", ({ memory }: Row) => msOf(memory.createdAt)],
] as const;
type Column = (typeof COLUMNS)[number][0];

/** The memories of a page, as they came or sorted by a column. */
export function MemoryTable({ rows }: { readonly rows: readonly Row[] }) {
  const isSearch = rows.some(({ relevance }) => relevance !== null);
  const [sort, setSort] = useState<{ readonly by: Column; readonly isUp: boolean }>({
    by: isSearch ? "Relevance" : "Learned",
    isUp: false,
  });
  const sizeOf = COLUMNS.find(([name]) => name === sort.by)?.[1] ?? (() => 0);
  const sorted = rows.toSorted((a, b) => (sizeOf(b) - sizeOf(a)) * (sort.isUp ? -1 : 1));
  const columns = COLUMNS.filter(([name]) => isSearch || name !== "Relevance");
  const direction = sort.isUp ? "ascending" : "descending";
  return (
    <div class="table">
      <table class="memories stacked">
        <thead>
          <tr>
            <th scope="col">Memory</th>
            {columns.map(([name]) => (
              <th key={name} scope="col" aria-sort={name === sort.by ? direction : undefined}>
                <button
                  type="button"
                  class="quiet"
                  onClick={() => setSort({ by: name, isUp: sort.by === name && !sort.isUp })}
                >
                  {name}
                  <span aria-hidden="true">{name === sort.by ? (sort.isUp ? "↑" : "↓") : ""}</span>
                </button>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {sorted.map(({ memory, relevance }) => (
            <tr key={memory.id} class="memory">
              <th scope="row">
                <a
                  dir="auto"
                  href={hrefOf("memories", memory.id, Object.fromEntries(route.value.query))}
                >
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
              </th>
              {relevance !== null && (
                <td data-label="Relevance">
                  <span class="relevance">
                    <Share label="Relevance" value={relevance} max={1} />
                    {relevance.toFixed(2)}
                  </span>
                </td>
              )}
              <td data-label="Importance">{memory.importanceScore}</td>
              <td data-label="True from">
                <Time at={memory.validFrom} withDayAlone />
                {memory.validTo !== undefined && (
                  <>
                    {" – "}
                    <Time at={memory.validTo} withDayAlone />
                  </>
                )}
              </td>
              <td data-label="Learned">
                <Time at={memory.createdAt} withDayAlone />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
