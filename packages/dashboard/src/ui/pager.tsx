import { useState } from "preact/hooks";

/** Which page of a list is shown. */
export interface Pages {
  /** undefined: the first one. */
  readonly pageToken: string | undefined;
  /** Counted from 1. */
  readonly number: number;
  newer(): void;
  older(nextPageToken: string): void;
}

/** The first page of a list, and from there on page by page. */
export function usePages(): Pages {
  /** The tokens of the pages up to this one. */
  const [tokens, setTokens] = useState<readonly (string | undefined)[]>([undefined]);
  return {
    pageToken: tokens.at(-1),
    number: tokens.length,
    newer: () => setTokens(tokens.slice(0, -1)),
    older: (nextPageToken) => setTokens([...tokens, nextPageToken]),
  };
}

interface PagerProps {
  readonly pages: Pages;
  /** The token behind the page that is shown; undefined: it is the last one. */
  readonly nextPageToken: string | undefined;
  readonly label: string;
}

/** Goes from page to page, where there is more than one. */
export function Pager({ pages, nextPageToken, label }: PagerProps) {
  if (pages.number === 1 && nextPageToken === undefined) return null;
  return (
    <nav class="pager" aria-label={label}>
      <button type="button" disabled={pages.number === 1} onClick={pages.newer}>
        Newer
      </button>
      <span>Page {pages.number}</span>
      <button
        type="button"
        disabled={nextPageToken === undefined}
        onClick={() => nextPageToken !== undefined && pages.older(nextPageToken)}
      >
        Older
      </button>
    </nav>
  );
}
