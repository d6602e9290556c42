export const LINE_END = 0x0a;

/** The lines of a stream, each with its line end; the last one may have none. */
export async function* linesOf(stream: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
  let begun: Uint8Array[] = [];
  for await (const chunk of stream) {
    let start = 0;
    for (let end = chunk.indexOf(LINE_END); end !== -1; end = chunk.indexOf(LINE_END, start)) {
      yield Buffer.concat([...begun, chunk.subarray(start, end + 1)]);
      begun = [];
      start = end + 1;
    }
    if (start < chunk.length) begun.push(chunk.subarray(start));
  }
  if (begun.length > 0) yield Buffer.concat(begun);
}

export function format(count: number): string {
  return count.toLocaleString("en");
}

const LINES_BETWEEN_PROGRESS = 10_000;

/** Adds each line to `done` that was taken. */
export async function* counted(
  lines: AsyncIterable<Buffer>,
  tell: (count: number) => void,
  done = { count: 0 },
): AsyncGenerator<Buffer> {
  for await (const line of lines) {
    done.count++;
    if (done.count % LINES_BETWEEN_PROGRESS === 0) tell(done.count);
    yield line;
  }
}
