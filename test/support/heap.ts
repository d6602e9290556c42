import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

const BYTES_A_MIB = 1024 * 1024;

setFlagsFromString("--expose-gc");
export const collectGarbage: () => void = runInNewContext("gc");

/** What `work` returns, and how many MiB of JavaScript heap it still holds afterwards. */
export async function measureHeap<T>(
  work: () => Promise<T>,
): Promise<{ readonly made: T; readonly keptMiB: number }> {
  collectGarbage();
  const before = process.memoryUsage().heapUsed;
  const made = await work();
  collectGarbage();
  return { made, keptMiB: (process.memoryUsage().heapUsed - before) / BYTES_A_MIB };
}
