import { visible } from "../../../core/shared/text/visible.ts";
import { ToolError } from "../../../core/tool/tool-error.ts";
import { fingerprintOf } from "../../../core/shared/digest.ts";
import { reviewDigest, reviewOf, reviewText, rulesText } from "../../../upstream/review.ts";
import { withStores } from "../../compose/with-stores.ts";
import { provenPerson } from "../../approvals/proven-person.ts";
import { acceptReview } from "./accept-review.ts";
import { everyCaller } from "./every-caller.ts";
import { listForReview } from "./list-for-review.ts";
import { readPins } from "../pin-file.ts";
import { rulesAfterReview } from "./rules-after-review.ts";
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
    const { rules, lines } = await rulesAfterReview(items, config, stores);
    const digest = reviewDigest(items, lines);
    const fingerprint = fingerprintOf(name, digest);
    const text = reviewText(name, items, { leftOut, rules: lines });
    const inFull = `${visible(entry.place)}\n${text}\n\nfingerprint: ${fingerprint}`;
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
    const { audit } = stores;
    await acceptReview(entry, items, { dataDir, audit, by, channel: "terminal", digest });
    for (const { name: tool, state, risk, definition, problem } of items) {
      const ids = rules.filter((rule) => rule.tool === tool).map(({ ruleId }) => ruleId);
      const named = ids.length === 0 ? {} : { rules: ids };
      console.log(
        options.json
          ? JSON.stringify({ name: tool, tool: definition.name, state, risk, problem, ...named })
          : `${tool}: ${state}, ${risk}${problem === undefined ? "" : `, ${problem}`}`,
      );
    }
    // A script did not read the review.
    if (options.secretStdin && !options.json)
      for (const line of rulesText(lines)) console.log(line);
    if (!options.json)
      console.log(`Reviewed. The tools of ${name} are offered with these risks from now on.`);
    return 0;
  });
}
