/** The longest message of a client, as in the SDK. Bytes. */
export const maxLineBytes = 10 * 1_048_576;

/** Splits a stream of bytes into lines. Most chunks are one line, which is not copied. */
export class MessageLines {
  #parts: Buffer[] = [];
  #bytes = 0;

  /**
   * Adds a chunk and calls `use` with each complete line.
   * @throws Error if a line is too long
   */
  add(chunk: Buffer, use: (line: string) => void): void {
    let from = 0;
    for (let end = chunk.indexOf(10); end !== -1; end = chunk.indexOf(10, from)) {
      const line = this.#lineTo(chunk, from, end);
      from = end + 1;
      use(line.endsWith("\r") ? line.slice(0, -1) : line);
    }
    if (from < chunk.length) this.#keep(from === 0 ? chunk : chunk.subarray(from));
  }

  #lineTo(chunk: Buffer, from: number, end: number): string {
    if (this.#parts.length === 0) return chunk.toString("utf8", from, end);
    this.#keep(chunk.subarray(from, end));
    const line = Buffer.concat(this.#parts).toString("utf8");
    this.#clear();
    return line;
  }

  #keep(part: Buffer): void {
    this.#bytes += part.length;
    if (this.#bytes > maxLineBytes) {
      this.#clear();
      throw new Error(`A message is longer than ${maxLineBytes} bytes.`);
    }
    this.#parts.push(part);
  }

  #clear(): void {
    this.#parts = [];
    this.#bytes = 0;
  }
}
