import { spawnSync } from "node:child_process";
import { availableParallelism } from "node:os";

/**
 * Does the work with this process, and all that it starts meanwhile, on one processor. Two that wake each other are twice as
 * slow where the kernel keeps them on two, and which of the two it does is luck that outweighs either server. On one, all
 * that a server does counts, also what its other threads do. Where there is no `taskset` (util-linux) nothing is held.
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
