import { spawnSync } from "node:child_process";
import { availableParallelism } from "node:os";

/**
 * Runs the work with this process, and all processes that it starts meanwhile, on one processor. Two processes that
 * wake each other are twice as slow if the kernel keeps them on two processors. Whether it does so is chance, and
 * outweighs the difference between the servers. On one processor, all work of a server counts, including that of its
 * other threads. Without `taskset` (util-linux) all processors are used.
 */
export async function onOneProcessor<Result>(work: () => Promise<Result>): Promise<Result> {
  const processors = availableParallelism();
  const hold = (list: string): boolean =>
    spawnSync("taskset", ["-acp", list, String(process.pid)]).status === 0;
  if (!hold("0")) console.warn("Not held on one processor: the call row may be twice what it is.");
  try {
    return await work();
  } finally {
    hold(`0-${processors - 1}`);
  }
}
