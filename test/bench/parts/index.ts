import type { Part } from "../bench.ts";
import { measureCalls } from "./calls.ts";
import { measurePeers } from "./peers.ts";

export const PARTS: readonly Part[] = [
  { name: "calls", title: "Calls and their floors", measure: measureCalls },
  { name: "peers", title: "Peers", isFullOnly: true, measure: measurePeers },
];
