import { Code, ConnectError } from "@connectrpc/connect";

export type Fetch = typeof globalThis.fetch;

/** `fetch` that follows no redirect, and says UNAVAILABLE of a service that cannot be reached. */
export function fetchDirectly(fetch: Fetch): Fetch {
  return async (input, init) => {
    try {
      const answer = await fetch(input, { ...init, redirect: "manual" });
      // All that a browser tells of a redirect.
      if (answer.type === "opaqueredirect") throw new ConnectError("HTTP 308", Code.Unknown);
      return answer;
    } catch (error) {
      // Any other error of `fetch` is the reason of the signal.
      if (!(error instanceof TypeError)) throw error;
      const text = "the service could not be reached";
      throw new ConnectError(text, Code.Unavailable, undefined, undefined, error);
    }
  };
}
