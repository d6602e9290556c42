import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { goWith, route } from "../route.ts";
import { Button } from "./page.tsx";

export interface Column<Row> {
  readonly name: string;
  readonly cellOf: (row: Row) => ComponentChildren;
  readonly isNumber?: boolean;
  /** By what rows are sorted, largest first; left out: they are not. */
  readonly sizeOf?: (row: Row) => number;
}

interface TableProps<Row> {
  readonly rows: readonly Row[];
  /** The first one says what a row is of. */
  readonly columns: readonly Column<Row>[];
  readonly keyOf: (row: Row) => string;
  /** The column that the rows are sorted by as they come. */
  readonly sortedBy?: string;
  readonly class?: string;
  /** What can be done with a row; left out: nothing. */
  readonly actionsOf?: (row: Row) => ComponentChildren;
}

/** A row for each of some things. On a narrow screen a row is a list of its cells. */
export function Table<Row>({ rows, columns, keyOf, sortedBy = "", ...rest }: TableProps<Row>) {
  const { actionsOf, class: name = "" } = rest;
  const [sort, setSort] = useState({ by: sortedBy, isUp: false });
  const sizeOf = columns.find((column) => column.name === sort.by)?.sizeOf ?? (() => 0);
  const sorted = rows.toSorted((a, b) => (sizeOf(b) - sizeOf(a)) * (sort.isUp ? -1 : 1));
  const order = sort.isUp ? "ascending" : "descending";
  const headOf = (column: Column<Row>) => {
    if (column.sizeOf === undefined) return column.name;
    const isSorted = column.name === sort.by;
    return (
      <Button
        look="quiet"
        onClick={() => setSort({ by: column.name, isUp: isSorted && !sort.isUp })}
      >
        {column.name}
        <span aria-hidden="true">{isSorted && (sort.isUp ? "↑" : "↓")}</span>
      </Button>
    );
  };
  return (
    <div class="table">
      <table class={`stacked ${name}`}>
        <thead>
          <tr>
            {columns.map((column) => (
              <th
                key={column.name}
                scope="col"
                class={column.isNumber ? "number" : undefined}
                aria-sort={column.name === sort.by ? order : undefined}
              >
                {headOf(column)}
              </th>
            ))}
            {actionsOf && (
              <th scope="col">
                <span class="unseen">Actions</span>
              </th>
            )}
          </tr>
        </thead>
        <tbody>
          {sorted.map((row) => (
            <tr key={keyOf(row)}>
              <th scope="row">{columns[0]?.cellOf(row)}</th>
              {columns.slice(1).map(({ name, cellOf, isNumber }) => (
                <td key={name} data-label={name} class={isNumber ? "number" : undefined}>
                  {cellOf(row)}
                </td>
              ))}
              {actionsOf && <td class="actions">{actionsOf(row)}</td>}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

type Texts = readonly string[];
/** `head`: the name of what the rows are of, then those of the numbers. */
export function NumberTable({ head, rows }: { head: Texts; rows: readonly Texts[] }) {
  const columns = head.map((name, at) => ({
    name,
    isNumber: at > 0,
    cellOf: (row: Texts) => row[at],
  }));
  return <Table rows={rows} columns={columns} keyOf={([name = ""]) => name} />;
}

/** Which page of a list the address names; undefined: the first one. */
export function pageTokenOfAddress(): string | undefined {
  return route.value.query.get("page") ?? undefined;
}

interface PagerProps {
  /** Behind the page that is shown; undefined: it is the last one. */
  readonly nextPageToken: string | undefined;
  readonly label: string;
}

/** Goes from page to page, where there is more than one. */
export function Pager({ nextPageToken, label }: PagerProps) {
  const { query, tokens } = route.value;
  const page = query.get("page");
  if (page === null && nextPageToken === undefined) return null;
  const number = Number(query.get("n") ?? 1);
  const show = (before: readonly string[], count: number) =>
    goWith({ page: before.at(-1), n: count > 1 ? String(count) : undefined }, before);
  return (
    <nav class="pager" aria-label={label}>
      <Button
        disabled={page === null}
        // Of an address from elsewhere only the first page is known besides.
        onClick={() => show(tokens.slice(0, -1), tokens.length > 1 ? number - 1 : 1)}
      >
        Newer
      </Button>
      <span>Page {number}</span>
      <Button
        disabled={nextPageToken === undefined}
        onClick={() => nextPageToken !== undefined && show([...tokens, nextPageToken], number + 1)}
      >
        Older
      </Button>
    </nav>
  );
}

interface CountedProps {
  readonly shown: number;
  readonly total: number;
  /** Whether there are more than were counted. */
  readonly isMore?: boolean;
  readonly what: string;
}

/** How many of a list are shown, and how many it has. */
export function Counted({ shown, total, isMore = false, what }: CountedProps) {
  return (
    <p class="hint" role="status">
      {shown.toLocaleString()} of {total.toLocaleString()}
      {isMore && "+"} {what}
    </p>
  );
}
