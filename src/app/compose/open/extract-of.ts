import type { ExtractOf } from "../../../ports/mail/mail-store.ts";

/** Returns the extract of a text. Imported late, because most starts show no mail. */
export const extractOf: ExtractOf = async (text) => {
  const { extractSummary } = await import("../../../ingest/summary/extract-summary.ts");
  return extractSummary(text);
};
