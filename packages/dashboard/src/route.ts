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
  /** The tokens of the pages of a list up to this one, the first one's left out. */
  readonly tokens: readonly string[];
}

/** What an entry of the browser's history holds beside its address. */
interface Entry {
  readonly tokens?: readonly string[];
  /** How far down the page was read. */
  readonly top?: number;
}

/** A scroll of the reader is noted when it rests so long: browsers bound how often. */
const REST_MS = 150;

export const route = signal(readRoute());

/** Where the page is to be scrolled to once it is long enough; null: it was. */
let wantedTop: number | null = null;
let resting: ReturnType<typeof setTimeout> | undefined;

history.scrollRestoration = "manual";
addEventListener("popstate", follow);
addEventListener("scroll", () => {
  clearTimeout(resting);
  if (wantedTop === null) resting = setTimeout(noteTop, REST_MS);
});
addEventListener("click", noteTop, { capture: true });
for (const byReader of ["wheel", "touchmove", "keydown"] as const) {
  addEventListener(byReader, () => {
    wantedTop = null;
  });
}

function entry(): Entry {
  return (history.state as Entry | null) ?? {};
}

function noteTop(): void {
  clearTimeout(resting);
  if (wantedTop === null) history.replaceState({ ...entry(), top: scrollY }, "");
}

function follow(): void {
  clearTimeout(resting);
  wantedTop = entry().top ?? 0;
  route.value = readRoute();
  restoreTop();
}

/** Scrolls to where the page was left, as far as what it shows by now goes. */
export function restoreTop(): void {
  if (wantedTop === null) return;
  scrollTo(0, wantedTop);
  if (scrollY >= wantedTop - 1) wantedTop = null;
}

function readRoute(): Route {
  const [path = "", query] = location.hash.replace(/^#\/?/, "").split("?");
  const [page = "", id = null] = path.split("/");
  return { page, id, query: new URLSearchParams(query), tokens: entry().tokens ?? [] };
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
export function go(
  href: string,
  { replace = false, tokens }: { replace?: boolean; tokens?: readonly string[] } = {},
): void {
  noteTop();
  if (replace) history.replaceState({ tokens }, "", href);
  else history.pushState({ tokens }, "", href);
  follow();
}

const WANTED = "agent-memory.wanted";
/** Later it is forgotten where somebody wanted to go. */
const MAX_WANTED_MS = 60 * 60 * 1_000;

/** Notes the page of the address, for when somebody has signed in, be it in another tab. */
export function keepWanted(): void {
  localStorage.setItem(WANTED, JSON.stringify({ href: location.hash, at: Date.now() }));
}

/** The address that was noted, which is forgotten; else the first page. */
export function takeWanted(): string {
  const { href, at } = JSON.parse(localStorage.getItem(WANTED) ?? "{}");
  localStorage.removeItem(WANTED);
  return Date.now() - at < MAX_WANTED_MS ? href : hrefOf("");
}

/** Changes the query of the page that is shown, whose list begins anew; "": it has that no more. */
export function goWith(
  change: Readonly<Record<string, string | undefined>>,
  tokens: readonly string[] = [],
): void {
  const { page, id, query } = route.value;
  go(hrefOf(page, id, { ...Object.fromEntries(query), page: "", n: "", ...change }), { tokens });
}
