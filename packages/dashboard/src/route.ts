import { signal } from "@preact/signals";

/**
 * The page that is shown. It stands in the fragment of the address, which browsers
 * send to nobody: neither a filter nor a question is in any log.
 */
export interface Route {
  readonly page: string;
  /** The subject of the page: the ID of a memory or a key. */
  readonly id: string | null;
  readonly query: URLSearchParams;
}

export const route = signal(readRoute());

addEventListener("hashchange", () => {
  route.value = readRoute();
});

function readRoute(): Route {
  const [path = "", query] = location.hash.replace(/^#\/?/, "").split("?");
  const [page = "", id = null] = path.split("/");
  return { page, id, query: new URLSearchParams(query) };
}

/** The address of a page, with what of its query is given. */
export function hrefOf(
  page: string,
  id?: string | null,
  query: Readonly<Record<string, string | undefined>> = {},
): string {
  const given = Object.entries(query).filter((entry): entry is [string, string] => !!entry[1]);
  const search = new URLSearchParams(given).toString();
  return `#/${page}${id ? `/${id}` : ""}${search && `?${search}`}`;
}

/** Goes to an address of `hrefOf`; `replace`: going back leads past it. */
export function go(href: string, { replace = false } = {}): void {
  if (replace) location.replace(href);
  else location.hash = href;
}
