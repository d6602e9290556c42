import { goWith, route } from "../route.ts";

/** Which page of a list the address names; undefined: the first one. */
export function pageTokenOfAddress(): string | undefined {
  return route.value.query.get("page") ?? undefined;
}

interface PagerProps {
  /** The token behind the page that is shown; undefined: it is the last one. */
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
      <button
        type="button"
        disabled={page === null}
        // Of an address from elsewhere only the first page is known besides.
        onClick={() => show(tokens.slice(0, -1), tokens.length > 1 ? number - 1 : 1)}
      >
        Newer
      </button>
      <span>Page {number}</span>
      <button
        type="button"
        disabled={nextPageToken === undefined}
        onClick={() => nextPageToken !== undefined && show([...tokens, nextPageToken], number + 1)}
      >
        Older
      </button>
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
