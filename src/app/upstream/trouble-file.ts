import { readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import type { ServerEntry } from "../../ports/upstream/upstream-server.ts";
import type { ServerTrouble } from "../../upstream/running/start-wait.ts";
import { withFileLock } from "../platform/file-lock.ts";
import { replaceFile } from "../platform/write-file.ts";

/** The servers to which running processes refuse calls, for `servers list` and `doctor`. */
const troubles = z.record(
  z.string(),
  z.object({
    identity: z.string(),
    at: z.iso.datetime(),
    until: z.iso.datetime(),
    what: z.string(),
  }),
);
type Troubles = z.output<typeof troubles>;

export const troubleName = "server-troubles.json";

function pathIn(dataDir: string): string {
  return join(dataDir, troubleName);
}

/** Returns the troubles of all servers. A damaged file has none, because it only informs. */
function readTroubles(dataDir: string): Troubles {
  try {
    return troubles.parse(JSON.parse(readFileSync(pathIn(dataDir), "utf8")));
  } catch {
    return {};
  }
}

/** Stores why a running process refuses calls to a server, or with `undefined` that the server works again. */
export async function storeTrouble(
  dataDir: string,
  { name, identity }: ServerEntry,
  trouble: ServerTrouble | undefined,
): Promise<void> {
  const path = pathIn(dataDir);
  await withFileLock(path, () => {
    const { [name]: _before, ...others } = readTroubles(dataDir);
    const now = Date.now();
    const at = new Date(now).toISOString();
    const all =
      trouble === undefined
        ? others
        : {
            ...others,
            [name]: {
              identity,
              at,
              until: new Date(now + trouble.waitMs).toISOString(),
              what: trouble.what,
            },
          };
    replaceFile(path, `${JSON.stringify(all)}\n`);
  });
}

/** Returns the last trouble of a server in a sentence, if the server has not worked since. */
export function troubleOf(dataDir: string, { name, identity }: ServerEntry): string | undefined {
  const found = readTroubles(dataDir)[name];
  if (found?.identity !== identity) return undefined;
  return `In a running process it ${found.what}, the last time at ${found.at}. Calls were refused until ${found.until}.`;
}
