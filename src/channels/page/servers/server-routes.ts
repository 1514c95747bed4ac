import type { Risk } from "../../../core/policy/risk.ts";
import type { ServerReviews } from "../../../ports/upstream/server-reviews.ts";
import type { Visitor } from "../access.ts";
import type { Html } from "../layout.ts";
import { lookPurpose, reviewPurpose, serversBody, serversNotice } from "./server-view.ts";

/** Every caller gets a server's tools, so only a person who decides for all callers reviews them. */
const sees = ({ principal }: Visitor): boolean => principal === undefined;

/** Returns the link to the servers. Undefined for a person who decides for one caller. */
export async function serversLine(
  reviews: ServerReviews | undefined,
  visitor: Visitor,
): Promise<Html | undefined> {
  if (reviews === undefined || !sees(visitor)) return undefined;
  return serversNotice(visitor, await reviews.servers());
}

export async function serversPage(
  reviews: ServerReviews | undefined,
  visitor: Visitor,
): Promise<Html | undefined> {
  if (reviews === undefined || !sees(visitor)) return undefined;
  const [servers, shown] = await Promise.all([reviews.servers(), reviews.shown()]);
  return serversBody(visitor, servers, shown);
}

/**
 * Executes a form of the page: starts a server to list its tools, or decides about them. Returns false if the
 * form is not from this page, is out of date, or the person may not review.
 */
export async function reviewFromForm(
  reviews: ServerReviews | undefined,
  visitor: Visitor,
  form: { fields: URLSearchParams; hasNonce: (purpose: string) => boolean },
): Promise<boolean> {
  if (reviews === undefined || !sees(visitor)) return false;
  const { fields, hasNonce } = form;
  const [server, digest] = [fields.get("server") ?? "", fields.get("digest") ?? ""];
  switch (fields.get("verdict")) {
    case "look":
      if (!hasNonce(lookPurpose(server))) return false;
      await reviews.readTools(server);
      return true;
    case "accept":
    case "refuse": {
      if (!hasNonce(reviewPurpose(server, digest))) return false;
      const risks = fields.get("verdict") === "accept" ? risksIn(fields) : undefined;
      return await reviews.decide(server, { digest, by: visitor.name, risks });
    }
    default:
      return false;
  }
}

const isRisk = (value: string): value is Risk | "off" =>
  ["low", "medium", "high", "off"].includes(value);

/** Parses the chosen risks: `r3` is that of the fourth tool. */
function risksIn(fields: URLSearchParams): (Risk | "off" | undefined)[] {
  const risks: (Risk | "off" | undefined)[] = [];
  for (const [field, value] of fields) {
    const index = /^r(\d{1,4})$/.exec(field)?.[1];
    if (index !== undefined && isRisk(value)) risks[Number(index)] = value;
  }
  return risks;
}
