import { collectDefaultMetrics, Registry } from "prom-client";

let ofProcess: Registry | null = null;

/**
 * The usual metrics of a Node.js process: CPU, memory, garbage collection, the lag of the
 * event loop. A process has them once, however many services run in it, since what watches
 * the event loop and the garbage collection never ends.
 */
export function processRegistry(): Registry {
  if (ofProcess === null) {
    ofProcess = new Registry();
    collectDefaultMetrics({ register: ofProcess });
  }
  return ofProcess;
}
