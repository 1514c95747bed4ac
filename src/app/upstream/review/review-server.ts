import { ToolError } from "../../../core/tool/tool-error.ts";
import { fingerprintOf } from "../../../core/shared/digest.ts";
import { reviewDigest, reviewOf, reviewText } from "../../../upstream/review.ts";
import { serverPlace } from "./server-place.ts";
import { withStores } from "../../compose/with-stores.ts";
import { provenPerson } from "../../approvals/proven-person.ts";
import { acceptReview } from "./accept-review.ts";
import { everyCaller } from "./every-caller.ts";
import { listForReview } from "./list-for-review.ts";
import { readPins } from "../pin-file.ts";
import { serverNamed } from "../server-named.ts";

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
    const { tools, faulty, leftOut } = await listForReview(entry, { dataDir, log });
    const before = readPins(dataDir).servers[name];
    const known = before?.identity === entry.identity ? before : undefined;
    const items = reviewOf(entry, known, tools, faulty);
    if (items.length === 0)
      throw new ToolError(
        "not_configured",
        `The server ${name} has no tool that can be used. Nothing was reviewed.`,
      );
    const fingerprint = fingerprintOf(name, reviewDigest(items));
    const inFull = `${serverPlace(entry.target)}\n${reviewText(name, items, leftOut)}\n\nfingerprint: ${fingerprint}`;
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
    for (const { name: tool, state, risk, definition, problem } of items) {
      console.log(
        options.json
          ? JSON.stringify({ name: tool, tool: definition.name, state, risk, problem })
          : `${tool}: ${state}, ${risk}${problem === undefined ? "" : `, ${problem}`}`,
      );
    }
    if (!options.json)
      console.log(`Reviewed. The tools of ${name} are offered with these risks from now on.`);
    return 0;
  });
}
