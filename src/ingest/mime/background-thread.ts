import { readFileSync, readlinkSync } from "node:fs";
import { setPriority } from "node:os";

/** setpriority(2): a tenth of the processor of who is not in the background, where there is not enough for both. */
const background = 10;

/**
 * Puts the calling thread into the background: whoever waits for an acknowledgement goes before mail that was acknowledged.
 * Gives the thread's id, which only Linux has, and undefined elsewhere, where all threads are equal.
 */
export function goToBackground(): number | undefined {
  try {
    const threadId = Number(readlinkSync("/proc/thread-self").split("/").at(-1));
    setPriority(threadId, background);
    return threadId;
  } catch {
    return undefined;
  }
}

/** Milliseconds of a processor that a thread of this process has had (proc(5), utime and stime), to a hundredth of a second. */
function processorMs(threadId: number): number | undefined {
  try {
    const stat = readFileSync(`/proc/self/task/${threadId}/stat`, "latin1");
    // Behind the thread's name, which may hold anything.
    const [utime, stime] = stat
      .slice(stat.lastIndexOf(")") + 2)
      .split(" ")
      .slice(11, 13);
    return (Number(utime) + Number(stime)) * 10;
  } catch {
    return undefined;
  }
}

/** A clock of what a thread has worked, in milliseconds: its processor's time where that is known, else everybody's. */
export function workedMs(threadId: number | undefined): number {
  return (threadId === undefined ? undefined : processorMs(threadId)) ?? performance.now();
}

/** How much longer a thread may take by the clock that gets less than a whole processor. */
const patience = 10;
/** Looks follow each other at least so far apart that a thread that works at all has had some time. Milliseconds. */
const leastBetween = 250;

/**
 * Calls `over` once a thread has worked for `limitMs`. Of a thread that has an id its share of the processor counts, so that
 * no message is given up because others were before it; by the clock ten times as long at most, and where it waits for what
 * never comes no longer. Of any other the clock counts.
 * @returns ends the watch
 */
export function watchThread(
  threadId: number | undefined,
  limitMs: number,
  over: () => void,
): () => void {
  const latest = performance.now() + limitMs * patience;
  const workedUntilNow = (): number =>
    (threadId === undefined ? undefined : processorMs(threadId)) ?? 0;
  // Nearly all are done before the first look, which costs more than they do.
  const before = limitMs / 4;
  let timer = setTimeout(() => {
    const begun = workedUntilNow();
    let worked = begun;
    const look = (): void => {
      const now = workedUntilNow();
      const isAtWork = now > worked;
      worked = now;
      const left = limitMs - before - (worked - begun);
      if (left <= 0 || !isAtWork || performance.now() >= latest) over();
      else timer = setTimeout(look, Math.max(left, leastBetween));
    };
    timer = setTimeout(look, limitMs - before);
  }, before);
  return () => clearTimeout(timer);
}
