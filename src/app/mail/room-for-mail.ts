import { statfs } from "node:fs/promises";

/** A measurement is used for this long, so that a burst of messages measures once. Milliseconds. */
const countsForMs = 200;

/**
 * Space that mail leaves for decisions, the audit record and the database's own work. Bytes, and at most this part of a
 * small disk.
 */
const spared = { bytes: 512 * 1024 * 1024, ofDisk: 0.1 } as const;

/**
 * Creates a measurement of the bytes that mail may still fill on the disk of a directory. If the free space cannot be
 * read, there is no limit, because a failed write is an error anyway.
 */
export function createRoomForMail(
  directory: string,
  now: () => number = () => performance.now(),
): () => Promise<number> {
  let last: { at: number; room: Promise<number> } | undefined;
  const measure = async (): Promise<number> => {
    const space = await diskSpace(directory);
    return space === undefined ? Infinity : space.free - space.spared;
  };
  return () => {
    if (last === undefined || now() - last.at > countsForMs) last = { at: now(), room: measure() };
    return last.room;
  };
}

/** Returns the free bytes on the disk of a directory, and those that mail leaves. Undefined if they cannot be read. */
export async function diskSpace(
  directory: string,
): Promise<{ free: number; spared: number } | undefined> {
  try {
    const { bavail, blocks, bsize } = await statfs(directory);
    return {
      free: bsize * bavail,
      spared: Math.min(spared.bytes, spared.ofDisk * bsize * blocks),
    };
  } catch {
    return undefined;
  }
}
