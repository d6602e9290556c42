import type { Part } from "../bench.ts";
import { measureCalls } from "./calls.ts";
import { measureCitus } from "./citus.ts";
import { measureExactness } from "./exactness.ts";
import { measureGrowth } from "./growth.ts";
import { measureJson } from "./json.ts";
import { measureMemory } from "./memory.ts";
import { measurePeers } from "./peers.ts";
import { measureStarts } from "./starts.ts";

/** In the order of the page. */
export const PARTS: readonly Part[] = [
  { name: "calls", title: "Calls and their floors", measure: measureCalls },
  { name: "peers", title: "Peers", isFullOnly: true, measure: measurePeers },
  { name: "growth", title: "Growth", measure: measureGrowth },
  { name: "citus", title: "Citus", isFullOnly: true, measure: measureCitus },
  { name: "json", title: "JSON", measure: measureJson },
  { name: "exactness", title: "Exactness", measure: measureExactness },
  { name: "starts", title: "Starts", measure: measureStarts },
  { name: "memory", title: "Memory", measure: measureMemory },
];
