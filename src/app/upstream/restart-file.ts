import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { replaceFile } from "../platform/write-file.ts";
import { withFileLock } from "../platform/file-lock.ts";

/** The newest request to restart each server. Running processes watch the file, as they watch the reviews. */
const restarts = z.record(z.string(), z.string());
type Restarts = z.output<typeof restarts>;

export const restartName = "server-restarts.json";

export function restartPath(dataDir: string): string {
  return join(dataDir, restartName);
}

/** Returns the newest request for each server. A damaged file has none, because it only signals. */
export function readRestarts(dataDir: string): Restarts {
  try {
    return restarts.parse(JSON.parse(readFileSync(restartPath(dataDir), "utf8")));
  } catch {
    return {};
  }
}

/** Asks every process that uses this data directory to restart a server. */
export async function requestRestart(dataDir: string, server: string): Promise<void> {
  const path = restartPath(dataDir);
  await withFileLock(path, () => {
    const all = { ...readRestarts(dataDir), [server]: randomBytes(8).toString("hex") };
    replaceFile(path, `${JSON.stringify(all)}\n`);
  });
}
