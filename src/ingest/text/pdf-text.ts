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
      const { items } = await page.getTextContent();
      const text = items
        .map((item) => ("str" in item ? item.str + (item.hasEOL ? "\n" : "") : ""))
        .join("");
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
