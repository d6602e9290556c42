import { PassThrough } from "node:stream";

/** Pieces of a text that a test hands out one by one, to whoever says them. */
export interface ControlledPieces extends AsyncIterable<string> {
  give(piece: string): void;
  /** There are no more. */
  end(): void;
  /** What comes instead of the next piece. */
  fail(error: Error): void;
}

export function controlledPieces(): ControlledPieces {
  const pieces = new PassThrough({ objectMode: true });
  // Nobody may be there to be told.
  pieces.on("error", () => {});
  return {
    give: (piece) => void pieces.write(piece),
    end: () => void pieces.end(),
    fail: (error) => void pieces.destroy(error),
    [Symbol.asyncIterator]: () => pieces[Symbol.asyncIterator](),
  };
}
