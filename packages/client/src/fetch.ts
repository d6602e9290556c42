import { Code, ConnectError } from "@connectrpc/connect";

export type Fetch = typeof globalThis.fetch;

/** `fetch` that says of a service that cannot be reached what gRPC says: UNAVAILABLE. */
export function withUnavailable(fetch: Fetch): Fetch {
  return async (input, init) => {
    try {
      return await fetch(input, init);
    } catch (error) {
      // Any other error of `fetch` is the reason of the signal.
      if (!(error instanceof TypeError)) throw error;
      const text = "the service could not be reached";
      throw new ConnectError(text, Code.Unavailable, undefined, undefined, error);
    }
  };
}
