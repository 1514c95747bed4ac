import { type AuditRecord, recordBestEffort } from "../../../core/audit/audit.ts";
import { randomId } from "../../../core/shared/digest.ts";
import type { ServerEntry } from "../../../ports/upstream/upstream-server.ts";
import { type ReviewItem, acceptedPins } from "../../../upstream/review.ts";
import { everyCaller } from "./every-caller.ts";
import { updatePins } from "../pin-file.ts";

/** The approver of a review, their approval channel, and the audit record. */
interface Reviewer {
  audit: AuditRecord;
  by: string;
  channel: "terminal" | "page";
  /** The digest of what they saw. */
  digest: string;
}

/** Pins the reviewed tools, and records who accepted them, where, and the digest of what they saw. */
export async function acceptReview(
  { name, identity }: ServerEntry,
  items: readonly ReviewItem[],
  { dataDir, ...reviewer }: Reviewer & { dataDir: string },
): Promise<void> {
  const at = new Date();
  const pins = acceptedPins(identity, items, { by: reviewer.by, at });
  await updatePins(dataDir, (all) => ({ ...all, servers: { ...all.servers, [name]: pins } }));
  const offered = items.filter(({ state }) => state !== "gone" && state !== "off");
  const tools = offered.map((item) => `${item.name} (${item.risk}, ${item.state})`);
  await record(reviewer, {
    at,
    sentence: `reviewed the server ${name}: ${tools.length === 0 ? "no tools" : tools.join(", ")}`,
    verdict: "reviewed",
  });
}

/** Records that a person refused the tools of a review. Offered tools stay offered. */
export async function refuseReview(
  { name }: Pick<ServerEntry, "name">,
  reviewer: Reviewer,
): Promise<void> {
  const sentence = `refused the tools of the server ${name}`;
  await record(reviewer, { at: new Date(), sentence, verdict: "refused" });
}

async function record(
  { audit, by, channel, digest }: Reviewer,
  { at, sentence, verdict }: { at: Date; sentence: string; verdict: "reviewed" | "refused" },
): Promise<void> {
  await recordBestEffort(audit, {
    type: "decided",
    at,
    callId: randomId("review"),
    principal: everyCaller,
    client: channel,
    tool: "servers",
    digest,
    sentence,
    outcome: `${verdict} (${channel}, ${by})`,
  });
}
