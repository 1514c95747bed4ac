/** The text of a PDF, page by page. Empty for one that is only pictures. Throws where it cannot be read. */
export async function pdfText(content: Uint8Array): Promise<string> {
  // Loaded with the first PDF: it is two megabytes of code, and most mail has none.
  const { extractText } = await import("unpdf");
  // The library takes the buffer over; what it is a part of stays ours.
  const { text } = await extractText(new Uint8Array(content));
  return text.join("\n\n");
}
