import type { Log } from "../../../core/shared/log.ts";
import { ToolError } from "../../../core/tool/tool-error.ts";
import type { ServerEntry, ToolDefinition } from "../../../ports/upstream/upstream-server.ts";
import { connector } from "../connector.ts";
import { listOnce } from "../list-once.ts";
import { schemaFaults } from "../schema-faults.ts";
import { loginCommand, startProblem } from "../start-problem.ts";

/** The tools that a server listed, and the names of those whose schema cannot be used. */
export interface ListedTools {
  tools: readonly ToolDefinition[];
  faulty: ReadonlySet<string>;
}

/** Starts a server and lists its tools. @throws ToolError with the cause and the fix, for the person who reviews it */
export async function listForReview(
  entry: ServerEntry,
  { dataDir, log }: { dataDir: string; log: Log },
): Promise<ListedTools> {
  try {
    const tools = await listOnce(await connector(dataDir, log)(entry));
    return { tools, faulty: await schemaFaults(tools, log) };
  } catch (thrown) {
    if (!(thrown instanceof ToolError) || entry.problem !== undefined) throw thrown;
    const login = loginCommand(entry, thrown);
    const next = login === undefined ? "" : ` \`${login}\` signs in.`;
    throw new ToolError(thrown.kind, `${startProblem(entry, thrown)}${next}`, { cause: thrown });
  }
}
