/**
 * Loaded into a process of the service before all else: notes how long its event loop
 * was held up, a line for each interval, and with LOOP_MONITOR_PROFILE what it did.
 *
 * It counts the time that the loop's thread computed, so that a machine that does
 * something else besides changes little.
 */
import { appendFileSync, writeFileSync } from "node:fs";
import { Session } from "node:inspector";
import { isMainThread } from "node:worker_threads";

const INTERVAL_MS = 250;
const RESOLUTION_MS = 5;
const MICROSECONDS_PER_MS = 1e3;

const { LOOP_MONITOR_FILE: file, LOOP_MONITOR_PROFILE: profile } = process.env;
if (isMainThread && file !== undefined) {
  let longest = 0;
  let before = process.threadCpuUsage();
  setInterval(() => {
    const { user, system } = process.threadCpuUsage(before);
    longest = Math.max(longest, user + system);
    before = process.threadCpuUsage();
  }, RESOLUTION_MS).unref();
  setInterval(() => {
    appendFileSync(file, `${Date.now()} ${longest / MICROSECONDS_PER_MS}\n`);
    longest = 0;
  }, INTERVAL_MS).unref();
}
if (isMainThread && profile !== undefined) {
  const session = new Session();
  session.connect();
  session.post("Profiler.enable");
  session.post("Profiler.start");
  process.on("exit", () =>
    session.post("Profiler.stop", (_, stopped) =>
      writeFileSync(profile, JSON.stringify(stopped?.profile)),
    ),
  );
}
