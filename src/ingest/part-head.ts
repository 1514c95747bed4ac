import { isUtf8 } from "node:buffer";
import { headerText } from "./charset.ts";
import { mailLimits } from "./limits.ts";

/**
 * The headers of a part with the empty line that ends them, as the parser can read them: in UTF-8. Undefined where they are
 * so already.
 */
export function readableHead(head: Uint8Array): Uint8Array | undefined {
  if (head.length > mailLimits.headerBytes || isUtf8(head)) return undefined;
  const lines: string[] = [];
  const bytes = Buffer.from(head.buffer, head.byteOffset, head.length);
  for (let start = 0; start < bytes.length;) {
    const lf = bytes.indexOf(0x0a, start);
    const next = lf === -1 ? bytes.length : lf + 1;
    lines.push(headerText(bytes.subarray(start, next)));
    start = next;
  }
  return Buffer.from(lines.join(""));
}
