import type { Log } from "./log.ts";

/** The inputs that differ between runs, and that tests replace. */
export interface Runtime {
  /** Microseconds since 1970. */
  now(): bigint;
  /** UUIDv7. */
  newId(): string;
  randomBytes(length: number): Uint8Array;
  /** Milliseconds of a clock that only goes forward. */
  monotonicMs(): number;
  readonly log: Log;
}
