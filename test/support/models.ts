import { onTestFinished } from "vitest";
import type { Embedder } from "../../src/providers/embedder.ts";
import type { RunningServer } from "../../src/server/server.ts";
import type { SpaceEmbedder } from "../../src/service/context.ts";

/**
 * Puts another embedder into a running service, for tests of a model that is slow
 * or fails; returns the function that puts the old one back.
 */
export function replaceEmbedder({ context }: RunningServer, embed: Embedder["embed"]): () => void {
  const { embedders } = context;
  const replaceable = context as { embedders: readonly SpaceEmbedder[] };
  replaceable.embedders = embedders.map(({ spaceId, embedder: { space } }) => ({
    spaceId,
    embedder: { space, embed },
  }));
  return () => {
    replaceable.embedders = embedders;
  };
}

/**
 * An embedder that waits, so that a test can act while a call is in progress. As a
 * real one it gives up when its signal says so.
 */
export interface HeldEmbedder {
  /** Resolves when a call has reached the embedder. */
  readonly entered: Promise<void>;
  /** Resolves when a call has given up, because its signal said so. */
  readonly abandoned: Promise<void>;
  /** Lets every call go on, and puts the old embedder back. */
  release(): void;
}

export function holdEmbedder(server: RunningServer): HeldEmbedder {
  const [active] = server.context.embedders;
  if (active === undefined) throw new Error("unreachable: a service has an embedder");
  const entered = Promise.withResolvers<void>();
  const released = Promise.withResolvers<void>();
  const abandoned = Promise.withResolvers<void>();
  const restore = replaceEmbedder(server, async (texts, purpose, call) => {
    const { signal } = call;
    const aborted = Promise.withResolvers<never>();
    signal.addEventListener("abort", () => {
      abandoned.resolve();
      aborted.reject(signal.reason);
    });
    entered.resolve();
    await Promise.race([released.promise, aborted.promise]);
    return active.embedder.embed(texts, purpose, call);
  });
  function release(): void {
    restore();
    released.resolve();
  }
  // A test that fails before must not hold the calls of those after it.
  onTestFinished(release);
  return { entered: entered.promise, abandoned: abandoned.promise, release };
}

/** Has a service embed what its category gate compares with, for tests that count calls of models. */
export async function embedExamples({ context }: RunningServer): Promise<void> {
  await Promise.all(context.embedders.map((each) => context.categoryExamples.nearnessIn(each)));
}
