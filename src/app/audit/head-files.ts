import { mkdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { HeadPlace } from "../../stores/audit-heads.ts";
import { writeOnce } from "../platform/write-file.ts";
import { isMissing, namesIn } from "../platform/safe-file.ts";

/** Stores heads of the audit record as files in `audit/` of the data directory. */
export function headFiles(dataDir: string): HeadPlace {
  const directory = join(dataDir, "audit");
  return {
    name: "the data directory",
    list: async () =>
      namesIn(directory).map((name) => ({ name, text: read(join(directory, name)) })),
    put: async (name, text) => {
      mkdirSync(directory, { recursive: true, mode: 0o700 });
      writeOnce(join(directory, name), text);
    },
    remove: async (name) => rmSync(join(directory, name), { force: true }),
  };
}

/** Returns the file's text, or an empty text if another process has just removed it. Both mean that it has no head. */
function read(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    if (isMissing(error)) return "";
    throw error;
  }
}
