import { type AuditLog, recordBestEffort } from "../../core/audit/audit.ts";
import { randomId } from "../../core/shared/digest.ts";
import type { ServerEntry } from "../../ports/upstream/upstream-server.ts";
import { type ReviewItem, acceptedPins, reviewDigest } from "../../upstream/review.ts";
import { everyCaller } from "./every-caller.ts";
import { updatePins } from "./pin-file.ts";

/** Pins the reviewed tools, and records who accepted them, where, and the digest of what they saw. */
export async function acceptReview(
  { name, identity }: ServerEntry,
  items: readonly ReviewItem[],
  {
    dataDir,
    audit,
    by,
    channel,
  }: { dataDir: string; audit: AuditLog; by: string; channel: "terminal" | "page" },
): Promise<void> {
  const at = new Date();
  const pins = acceptedPins(identity, items, { by, at });
  await updatePins(dataDir, (all) => ({ ...all, servers: { ...all.servers, [name]: pins } }));
  const offered = items.filter(({ state }) => state !== "gone" && state !== "off");
  const tools = offered.map((item) => `${item.name} (${item.risk}, ${item.state})`);
  await recordBestEffort(audit, {
    type: "decided",
    at,
    callId: randomId("review"),
    principal: everyCaller,
    client: channel,
    tool: "servers",
    digest: reviewDigest(items),
    sentence: `reviewed the server ${name}: ${tools.length === 0 ? "no tools" : tools.join(", ")}`,
    outcome: `reviewed (${channel}, ${by})`,
  });
}
