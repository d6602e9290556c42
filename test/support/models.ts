import type { Embedder } from "../../src/providers/embedder.ts";
import type { RunningServer } from "../../src/server.ts";

/**
 * Puts another embedder into a running service, for tests of a model that is slow
 * or fails; returns the function that puts the old one back.
 */
export function replaceEmbedder({ context }: RunningServer, embed: Embedder["embed"]): () => void {
  const { embedder } = context;
  const replaceable = context as { embedder: Embedder };
  replaceable.embedder = { space: embedder.space, embed };
  return () => {
    replaceable.embedder = embedder;
  };
}

/** An embedder that waits, so that a test can act while a call is in progress. */
export interface HeldEmbedder {
  /** Resolves when a call has reached the embedder. */
  readonly entered: Promise<void>;
  /** Lets every call go on, and puts the old embedder back. */
  release(): void;
}

export function holdEmbedder(server: RunningServer): HeldEmbedder {
  const { embedder } = server.context;
  const entered = Promise.withResolvers<void>();
  const released = Promise.withResolvers<void>();
  const restore = replaceEmbedder(server, async (...call) => {
    entered.resolve();
    await released.promise;
    return embedder.embed(...call);
  });
  return {
    entered: entered.promise,
    release() {
      restore();
      released.resolve();
    },
  };
}
