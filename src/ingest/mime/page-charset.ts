import { isUtf8 } from "node:buffer";
import { decodedText } from "./charset.ts";

/** The part of a page that may declare its character set (HTML, section 4.2.5.4). Programs write longer ones. Bytes. */
const headBytes = 4_096;
const inPage =
  /<meta(?=[\s/])[^>]{0,500}?(?<=[\s"'/;])charset\s{0,5}=\s{0,5}["']?\s{0,5}([\w.:-]{2,40})|^\s{0,9}<\?xml[^>]{0,200}?\sencoding\s{0,5}=\s{0,5}["']([\w.:-]{2,40})["']/i;

/**
 * Returns the character set that an HTML page declares for itself, as browsers and mail programs read it. A name of
 * UTF-16 is wrong, because its bytes could not be read.
 */
function charsetInPage(page: Uint8Array): string | undefined {
  const head = Buffer.from(page.buffer, page.byteOffset, Math.min(page.length, headBytes));
  const [, inMeta, inXml] = inPage.exec(head.toString("latin1")) ?? [];
  const name = inMeta ?? inXml;
  return name === undefined || /^utf-?(?:16|32)/i.test(name) ? undefined : name;
}

/** Decodes an HTML page. Its own declaration counts if the message names no set. UTF-8 is recognised first. */
export function decodedPage(page: Uint8Array, declared: string | undefined): string {
  const isUndeclared = declared === undefined || declared.trim() === "";
  return decodedText(page, isUndeclared && !isUtf8(page) ? charsetInPage(page) : declared);
}
