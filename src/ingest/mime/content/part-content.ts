import { behindBase64 } from "./behind-base64.ts";
import type { LeafPart } from "../mime-parts.ts";
import { structuredHeader } from "../structured-header.ts";
import { transferDecoded } from "./transfer-encoding.ts";
import { uuFiles } from "./uuencode.ts";

/** The decoded content of a part. */
export interface PartContent {
  bytes: Uint8Array;
  /** The name that a uuencoded part has in its data. */
  name?: string;
  /** The text that was added after base64 without encoding. */
  footer?: Uint8Array;
}

/** Decodes the body of a part as its Content-Transfer-Encoding says. */
export function partContent({ headers }: LeafPart, body: Uint8Array): PartContent {
  const { value } = structuredHeader(headers.get("content-transfer-encoding")?.[0] ?? "");
  const encoding = /[\w-]+/.exec(value)?.[0] ?? "";
  const [uuFile] = /^(?:x-)?uu/.test(encoding) ? uuFiles(body).files : [];
  if (uuFile !== undefined) return { bytes: uuFile.content, name: uuFile.name };
  const footerAt = encoding === "base64" ? behindBase64(body) : undefined;
  return {
    bytes: transferDecoded(body.subarray(0, footerAt), encoding),
    ...(footerAt !== undefined && { footer: body.subarray(footerAt) }),
  };
}
