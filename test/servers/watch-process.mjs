// Loaded into a process under test by `--import`: how long its event loop was ever kept busy at one go, and how much memory
// it ever took. SIGUSR2 begins anew; both are written to WATCH_REPORT, as they are at that moment, ten times a second.
import { readFileSync, renameSync, writeFileSync } from "node:fs";
import { isMainThread } from "node:worker_threads";

/** How often the loop is looked at. Milliseconds. */
const everyMs = 5;
const report = process.env.WATCH_REPORT;

/** What this thread has computed, in milliseconds: on a busy machine it waits long without being to blame. */
function busyMs() {
  try {
    return Number(readFileSync("/proc/thread-self/schedstat", "latin1").split(" ")[0]) / 1e6;
  } catch {
    return performance.now();
  }
}

if (isMainThread && report !== undefined) {
  let longestMs = 0;
  let mostBytes = 0;
  let last = busyMs();
  let ticks = 0;
  setInterval(() => {
    const now = busyMs();
    longestMs = Math.max(longestMs, now - last);
    mostBytes = Math.max(mostBytes, process.memoryUsage.rss());
    ticks += 1;
    if (ticks % 20 === 0) {
      // Put in place whole: it is read at any moment.
      writeFileSync(`${report}.new`, JSON.stringify({ longestMs, mostBytes, ticks }));
      renameSync(`${report}.new`, report);
    }
    // What looking costs is not the program's.
    last = busyMs();
  }, everyMs).unref();
  process.on("SIGUSR2", () => {
    longestMs = 0;
    mostBytes = 0;
    ticks = 0;
    last = busyMs();
  });
}
