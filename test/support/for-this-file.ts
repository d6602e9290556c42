import { afterAll } from "vitest";

type Ends = { close(): unknown } | { remove(): unknown };

/** What the tests of a file share, from its top level on: it is closed or removed after the last. */
export async function forThisFile<T extends Ends>(opening: T | Promise<T>): Promise<T> {
  const opened = await opening;
  afterAll(async () => void (await ("close" in opened ? opened.close() : opened.remove())));
  return opened;
}
