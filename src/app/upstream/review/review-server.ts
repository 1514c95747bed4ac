import { fingerprintOf } from "../../../core/shared/digest.ts";
import type { Log } from "../../../core/shared/log.ts";
import { ToolError } from "../../../core/tool/tool-error.ts";
import type { ServerEntry, ToolDefinition } from "../../../ports/upstream/upstream-server.ts";
import { reviewDigest, reviewOf, reviewText } from "../../../upstream/review.ts";
import { withStores } from "../../compose/with-stores.ts";
import { provenPerson } from "../../page/proven-person.ts";
import { acceptReview } from "./accept-review.ts";
import { connector } from "../connector.ts";
import { everyCaller } from "./every-caller.ts";
import { listOnce } from "../list-once.ts";
import { readPins } from "../pin-file.ts";
import { serverNamed } from "../server-named.ts";
import { startProblem } from "../start-problem.ts";

/** Starts a server, shows its tools, and offers them after an approver's proof. */
export async function reviewServer(
  name: string,
  options: {
    acceptProposed: boolean;
    secretStdin: boolean;
    json: boolean;
    envFile: string | undefined;
  },
): Promise<number> {
  return await withStores(options.envFile, async ({ config, stores, log }) => {
    const { dataDir, approvals } = config;
    const entry = serverNamed(name, config, options.envFile);
    const listed = await toolsOf(entry, { dataDir, log });
    const before = readPins(dataDir).servers[name];
    const known = before?.identity === entry.identity ? before : undefined;
    const items = reviewOf(entry, known, listed);
    const fingerprint = fingerprintOf(name, reviewDigest(items));
    const inFull = `${reviewText(name, items)}\n\nfingerprint: ${fingerprint}`;
    const by = await provenPerson(
      {
        principal: everyCaller,
        fingerprint,
        inFull,
        question: "Type the fingerprint to offer these tools with these risks",
        nothing: "Nothing was reviewed.",
      },
      { approvers: approvals.approvers, secretStdin: options.secretStdin },
    );
    await acceptReview(entry, items, { dataDir, audit: stores.audit, by, channel: "terminal" });
    for (const { name: tool, state, risk, definition } of items) {
      console.log(
        options.json
          ? JSON.stringify({ name: tool, tool: definition.name, state, risk })
          : `${tool}: ${state}, ${risk}`,
      );
    }
    if (!options.json)
      console.log(`Reviewed. The tools of ${name} are offered with these risks from now on.`);
    return 0;
  });
}

/** Starts the server and lists its tools. @throws ToolError with the cause and the fix, for the person at the terminal */
async function toolsOf(
  entry: ServerEntry,
  { dataDir, log }: { dataDir: string; log: Log },
): Promise<readonly ToolDefinition[]> {
  try {
    return await listOnce(await connector(dataDir, log)(entry));
  } catch (thrown) {
    if (!(thrown instanceof ToolError) || entry.problem !== undefined) throw thrown;
    throw new ToolError(thrown.kind, startProblem(entry, thrown), { cause: thrown });
  }
}
