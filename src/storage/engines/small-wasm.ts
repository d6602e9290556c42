import { setFlagsFromString } from "node:v8";

/**
 * What V8's optimizing compiler is told to leave alone: WebAssembly. For a single function of
 * Postgres it takes 500 MiB, at each start, and what it makes of all others takes 70 MiB
 * for good; statements are as quick without it, but for the search over many vectors,
 * which takes twice as long.
 */
const FLAGS = ["--liftoff-only", "--no-wasm-tier-up", "--no-wasm-dynamic-tiering"];

/** Must be called before PGlite is loaded; it holds for the whole process. */
export function keepWasmSmall(): void {
  for (const flag of FLAGS) setFlagsFromString(flag);
}
