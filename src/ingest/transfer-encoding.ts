/** The bytes behind a Content-Transfer-Encoding (RFC 2045 6); undefined for one that is not known. */
export function transferDecoded(body: Uint8Array, encoding: string): Uint8Array | undefined {
  switch (encoding) {
    case "":
    case "7bit":
    case "8bit":
    case "binary":
      return body;
    case "base64":
      return Buffer.from(latin1(body), "base64");
    case "quoted-printable":
      return Buffer.from(quotedPrintable(latin1(body)), "latin1");
    default:
      return undefined;
  }
}

function latin1(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString("latin1");
}

function quotedPrintable(text: string): string {
  return text
    .replace(/=[ \t]{0,80}\r?\n/g, "")
    .replace(/=([0-9A-Fa-f]{2})/g, (_, hex: string) =>
      String.fromCharCode(Number.parseInt(hex, 16)),
    );
}
