import type { NeighbourCase } from "../neighbour-case.ts";
import { BODIES } from "./bodies.ts";
import { CONNECTIONS } from "./connections.ts";
import { FRESH_DATA } from "./fresh-data.ts";
import { HISTORIES } from "./histories.ts";
import { IMPORTS } from "./imports.ts";
import { LIGHT_BODIES } from "./light-bodies.ts";
import { MCP } from "./mcp.ts";
import { READS } from "./reads.ts";
import { WRITES } from "./writes.ts";

/** Every way to be in the way that was ever found. */
export const CASES: readonly NeighbourCase[] = [
  ...WRITES,
  ...READS,
  ...BODIES,
  ...LIGHT_BODIES,
  ...MCP,
  ...CONNECTIONS,
  ...HISTORIES,
  ...IMPORTS,
  ...FRESH_DATA,
];
