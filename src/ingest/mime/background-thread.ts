import { readFileSync, readlinkSync } from "node:fs";
import { availableParallelism, setPriority } from "node:os";

/** The nice value for setpriority(2). On a busy processor, such a thread gets a tenth of a normal thread's time. */
const background = 10;

/** Returns the number of processors that this process may use. */
export const machineProcessors = (): number => availableParallelism();

/**
 * Returns the calling thread's id on Linux, and undefined elsewhere, where all threads have the same priority.
 * @param isUrgent true if a person waits for its work. Otherwise its priority is lowered, because mail that is not yet
 * acknowledged goes first.
 */
export function threadWithPriority(isUrgent: boolean): number | undefined {
  try {
    const threadId = Number(readlinkSync("/proc/thread-self").split("/").at(-1));
    if (!isUrgent) setPriority(threadId, background);
    return threadId;
  } catch {
    return undefined;
  }
}

/**
 * Returns the CPU time that a thread of this process has used (proc(5), utime and stime), in milliseconds with a
 * precision of 10 ms, and whether it works or waits for a processor (state).
 */
function processorOf(threadId: number): { ms: number; isReady: boolean } | undefined {
  try {
    const stat = readFileSync(`/proc/self/task/${threadId}/stat`, "latin1");
    // The fields follow the thread's name, which may contain any character.
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    const [utime, stime] = fields.slice(11, 13);
    return { ms: (Number(utime) + Number(stime)) * 10, isReady: fields[0] === "R" };
  } catch {
    return undefined;
  }
}

/** Returns a thread's clock in milliseconds: its CPU time if the system reports it, or else wall time. */
export function workedMs(threadId: number | undefined): number {
  return (threadId === undefined ? undefined : processorOf(threadId))?.ms ?? performance.now();
}

/** The wall time limit of a thread with less than a whole processor, as a multiple of its CPU limit. */
const wallTimeFactor = 10;
/** The least time between two checks. Milliseconds. */
const leastBetweenMs = 250;

/**
 * Calls `over` after a thread has worked for `limitMs`. With a thread id the limit is CPU time, so that a busy machine
 * fails no message. Wall time is limited to ten times as long, and to `limitMs` for a thread that only waits. Without
 * an id the limit is wall time.
 * @returns a function that ends the watch
 */
export function watchThread(
  threadId: number | undefined,
  limitMs: number,
  over: () => void,
): () => void {
  const latest = performance.now() + limitMs * wallTimeFactor;
  const state = (): { ms: number; isReady: boolean } =>
    (threadId === undefined ? undefined : processorOf(threadId)) ?? { ms: 0, isReady: false };
  // Nearly all jobs end before the first check, which would cost more than they do.
  const before = limitMs / 4;
  let timer = setTimeout(() => {
    const begun = state().ms;
    let worked = begun;
    const check = (): void => {
      const { ms, isReady } = state();
      // On a busy machine a thread of low priority may get no processor for seconds.
      const isAtWork = ms > worked || isReady;
      worked = ms;
      const left = limitMs - before - (worked - begun);
      if (left <= 0 || !isAtWork || performance.now() >= latest) over();
      else timer = setTimeout(check, Math.max(left, leastBetweenMs));
    };
    timer = setTimeout(check, limitMs - before);
  }, before);
  return () => clearTimeout(timer);
}
