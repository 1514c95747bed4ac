/**
 * Extracts the text of a PDF, page by page. Empty if it contains only pictures.
 * @throws if it cannot be read
 */
export async function pdfText(content: Uint8Array): Promise<string> {
  // Loaded with the first PDF, because it is two megabytes of code and most mail has none.
  const { extractText } = await import("unpdf");
  // The library takes ownership of the buffer, so it gets a copy.
  const { text } = await extractText(new Uint8Array(content));
  return text.join("\n\n");
}
