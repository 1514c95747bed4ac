import { statfs } from "node:fs/promises";

/** How long a measurement counts. A burst of messages needs no more of them. Milliseconds. */
const countsForMs = 200;

/**
 * Creates a measurement of the free bytes on the disk of a directory, as a program without privileges may use them. If
 * the disk does not say, space is unlimited: a failed write is an error anyway.
 */
export function createFreeSpace(
  directory: string,
  now: () => number = () => performance.now(),
): () => Promise<number> {
  let last: { at: number; free: Promise<number> } | undefined;
  const measure = async (): Promise<number> => {
    try {
      const { bavail, bsize } = await statfs(directory);
      return bavail * bsize;
    } catch {
      return Infinity;
    }
  };
  return () => {
    if (last === undefined || now() - last.at > countsForMs) last = { at: now(), free: measure() };
    return last.free;
  };
}
