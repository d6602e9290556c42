import type { Embedder } from "../../src/providers/embedder.ts";

/** Numbers that a text can be about, `#0` to `#59`. */
export const SUBJECTS = 60;

export interface MarkedEmbedder extends Embedder {
  /** The similarity of a question to a memory about the same number. No other model has it. */
  readonly mark: number;
  /** Texts that were embedded. */
  readonly embedded: string[];
  /** Called first, for each call. */
  before: (texts: readonly string[], signal: AbortSignal) => Promise<void>;
}

/**
 * A model whose vectors show where they came from. A text is about the number
 * behind its `#`, which is its direction; a question leans away from it by as
 * much as `mark` says. Models differ in their dimensions, so that the database
 * refuses to compare a vector of one with a vector of another.
 */
export function markedEmbedder(model: string, mark: number): MarkedEmbedder {
  const dimensions = SUBJECTS + Math.round(mark * 10);
  const embedded: string[] = [];
  const embedder: MarkedEmbedder = {
    space: { provider: "local", model, dimensions },
    mark,
    embedded,
    before: async () => {},
    async embed(texts, purpose, { signal }) {
      await embedder.before(texts, signal);
      embedded.push(...texts);
      return texts.map((text) => {
        const vector = new Array<number>(dimensions).fill(0);
        const lean = purpose === "document" ? 1 : mark;
        vector[subjectOf(text)] = lean;
        vector[dimensions - 1] = Math.sqrt(1 - lean * lean);
        return vector;
      });
    },
  };
  return embedder;
}

/** What is about no number has a direction of its own. */
function subjectOf(text: string): number {
  const [, number] = /#(\d+)/.exec(text) ?? [];
  const subject = Number(number ?? SUBJECTS);
  if (number !== undefined && !(subject < SUBJECTS))
    throw new Error(`"${text}" is about no number`);
  return subject;
}
