import { EXAMPLE_STATEMENTS } from "../domain/category-examples.ts";
import { type CategoryNearness, NEARNESS_IN_DOUBT, nearnessTo } from "../domain/category-gate.ts";
import type { Embedder } from "../providers/embedder.ts";
import type { CategoryExamples, EmbeddingContext, SpaceEmbedder } from "./context.ts";
import { watchModels } from "./model-calls.ts";

/** A write must not wait for examples much longer than for its own vectors. */
const EMBED_TIMEOUT_MS = 5_000;

type Options = Pick<EmbeddingContext, "log" | "metrics" | "tracer">;

export class EmbeddedExamples implements CategoryExamples {
  readonly #options: Options;
  readonly #bySpace = new Map<number, Promise<CategoryNearness>>();

  constructor(options: Options) {
    this.#options = options;
  }

  prepare([only, ...others]: readonly SpaceEmbedder[]): void {
    if (only !== undefined && others.length === 0) void this.nearnessIn(only);
  }

  nearnessIn({ spaceId, embedder }: SpaceEmbedder): Promise<CategoryNearness> {
    const known = this.#bySpace.get(spaceId);
    if (known !== undefined) return known;
    const embedding = this.#embed(embedder).catch((err: unknown) => {
      this.#bySpace.delete(spaceId);
      this.#options.log.warn(
        { err },
        "no examples of categories: all is held back from the classifier",
      );
      return NEARNESS_IN_DOUBT;
    });
    this.#bySpace.set(spaceId, embedding);
    return embedding;
  }

  async #embed(embedder: Embedder): Promise<CategoryNearness> {
    const texts = EXAMPLE_STATEMENTS.map(({ text }) => text);
    const vectors = await embedder.embed(texts, "document", {
      // The examples are the same for all accounts.
      owner: null,
      signal: AbortSignal.timeout(EMBED_TIMEOUT_MS),
      report: (usage) => this.#options.metrics.modelCalled(usage),
      watch: watchModels(this.#options),
    });
    return nearnessTo(EXAMPLE_STATEMENTS, vectors);
  }
}
