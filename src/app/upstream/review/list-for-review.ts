import type { Log } from "../../../core/shared/log.ts";
import { ToolError } from "../../../core/tool/tool-error.ts";
import type { ServerEntry } from "../../../ports/upstream/upstream-server.ts";
import { connector } from "../connector.ts";
import { type OneList, listOnce } from "../list-once.ts";
import { schemaFaults } from "../schema-faults.ts";
import { loginCommand, startProblem } from "../start-problem.ts";

/** The tools that a server listed for a review. */
export interface ToolsForReview extends OneList {
  /** The names of the tools whose schema cannot be used. */
  faulty: ReadonlySet<string>;
}

/** Starts a server and lists its tools. @throws ToolError with the cause and the fix, for the person who reviews it */
export async function listForReview(
  entry: ServerEntry,
  { dataDir, log }: { dataDir: string; log: Log },
): Promise<ToolsForReview> {
  try {
    const listed = await listOnce(await connector(dataDir, log)(entry));
    return { ...listed, faulty: await schemaFaults(listed.tools, log) };
  } catch (thrown) {
    if (!(thrown instanceof ToolError) || entry.problem !== undefined) throw thrown;
    const login = loginCommand(entry, thrown);
    const next = login === undefined ? "" : ` \`${login}\` signs in.`;
    throw new ToolError(thrown.kind, `${startProblem(entry, thrown)}${next}`, { cause: thrown });
  }
}
