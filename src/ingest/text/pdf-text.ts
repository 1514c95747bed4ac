import type { getDocumentProxy } from "unpdf";
import { withBoundedBuffers } from "../mime/bounded-buffers.ts";
import { mailLimits } from "../pipeline/limits.ts";

/**
 * Extracts the text of a PDF, page by page. Empty if it contains only pictures. A note names the pages that are not
 * read.
 * @throws if it cannot be read
 */
export function pdfText(content: Uint8Array): Promise<string> {
  // A stream of three kilobytes can unpack to gigabytes.
  return withBoundedBuffers(mailLimits.pdfBytes + content.length, () => pagesOf(content));
}

async function pagesOf(content: Uint8Array): Promise<string> {
  // Loaded with the first PDF, because it is two megabytes of code and most mail has no PDF.
  const { getDocumentProxy } = await import("unpdf");
  // The library takes ownership of the buffer, so it gets a copy.
  const document = await getDocumentProxy(new Uint8Array(content));
  try {
    const pages: string[] = [];
    let characters = 0;
    const { numPages } = document;
    // Limited, because the library searches each page from the first one, and many pages may have one long text.
    const most = Math.min(numPages, mailLimits.pdfPages);
    while (pages.length < most && characters < mailLimits.textBytes) {
      const page = await document.getPage(pages.length + 1);
      const text = await textOf(page, mailLimits.textBytes - characters);
      pages.push(text);
      characters += text.length;
    }
    const leftOut = numPages - pages.length;
    if (leftOut > 0) pages.push(`[Left out: ${leftOut} more pages are in the raw message only.]`);
    return pages.join("\n\n");
  } finally {
    await document.destroy();
  }
}

type Page = Awaited<ReturnType<Awaited<ReturnType<typeof getDocumentProxy>>["getPage"]>>;
type TextContent = Awaited<ReturnType<Page["getTextContent"]>>;

/**
 * Extracts the text of a page. Of a long one it reads the beginning, with at least `enough` characters. A page of a
 * million words took several seconds, and its thread was stopped before it had any text.
 */
async function textOf(page: Page, enough: number): Promise<string> {
  const pieces = page.streamTextContent() as ReadableStream<TextContent>;
  const reader = pieces.getReader();
  let text = "";
  while (text.length < enough) {
    const { value, done } = await reader.read();
    if (done) return text;
    for (const item of value.items) if ("str" in item) text += item.str + (item.hasEOL ? "\n" : "");
  }
  await reader.cancel(new Error("The rest of the page is not needed."));
  return text;
}
