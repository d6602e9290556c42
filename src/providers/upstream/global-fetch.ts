import { isInExchange, upstreamFetch } from "./exchange.ts";

let isRouted = false;

/**
 * Makes the global `fetch` go through `upstreamFetch` within an exchange.
 *
 * `@google/generative-ai` calls the global one and can be given no other, and the
 * platform's follows redirects with the key and connects anywhere. The other way
 * in, a dispatcher for the whole process, would decide about everybody's
 * connections; this is asked by the code that runs within an exchange only.
 */
export function routeGlobalFetch(): void {
  if (isRouted) return;
  isRouted = true;
  const platformFetch = globalThis.fetch;
  globalThis.fetch = (input, init) =>
    isInExchange() && typeof input === "string"
      ? upstreamFetch(input, init)
      : platformFetch(input, init);
}
