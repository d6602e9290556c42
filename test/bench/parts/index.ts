import type { Part } from "../bench.ts";
import { measureCalls } from "./calls.ts";

export const PARTS: readonly Part[] = [
  { name: "calls", title: "Calls and their floors", measure: measureCalls },
];
