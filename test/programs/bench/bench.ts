import type { DatabaseServer } from "./database-server.ts";
import type { Extent, Findings } from "./findings.ts";
import type { Load } from "./load/load.ts";

/** What every part has to measure with. */
export interface Bench {
  readonly extent: Extent;
  readonly load: Load;
  readonly server: DatabaseServer;
}

/** One subject of the page. */
export interface Part {
  readonly name: string;
  readonly title: string;
  /** Not for the short form: it installs packages. */
  readonly isFullOnly?: boolean;
  measure(bench: Bench): Promise<Findings>;
}
