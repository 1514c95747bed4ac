/** The object identifiers of signed data and of data (RFC 5652 5.1 and 4), encoded. */
const signedData = "2a864886f70d010702";
const plainData = "2a864886f70d010701";
/** Pieces of a signed text are nested at most twice. */
const mostNested = 16;
/** Limit on elements in another, for example the pieces of a text. Programs write pieces of 1 000 bytes or more. */
const mostChildren = 100_000;

/** An element of ASN.1 in its basic encoding (ITU-T X.690). Offsets of the content, and of the next element. */
interface Element {
  tag: number;
  start: number;
  end: number;
  next: number;
}

const sequence = 0x30;
const explicit = 0xa0;
const octets = 0x04;
const octetPieces = 0x24;

/**
 * Returns the part inside signed data of S/MIME (RFC 8551 3.5.2), which is not encrypted. The signature is not checked.
 * Undefined for encrypted data and for any other form.
 */
export function signedContent(bytes: Uint8Array): Uint8Array | undefined {
  const [type, wrapped] = childrenOf(bytes, elementAt(bytes, 0), sequence);
  if (type === undefined || hex(bytes, type) !== signedData) return undefined;
  const [signed] = childrenOf(bytes, wrapped, explicit);
  const [, , content] = childrenOf(bytes, signed, sequence);
  const [contentType, held] = childrenOf(bytes, content, sequence);
  if (contentType === undefined || hex(bytes, contentType) !== plainData) return undefined;
  const [text] = childrenOf(bytes, held, explicit);
  const pieces = text === undefined ? [] : octetsOf(bytes, text);
  return pieces.length === 0 ? undefined : Buffer.concat(pieces);
}

function hex(bytes: Uint8Array, { start, end }: Element): string {
  return Buffer.from(bytes.subarray(start, Math.min(end, start + 16))).toString("hex");
}

/** Returns the pieces of a text. Programs that sign while they send write many. */
function octetsOf(bytes: Uint8Array, element: Element, depth = 0): Uint8Array[] {
  if (element.tag === octets) return [bytes.subarray(element.start, element.end)];
  if (element.tag !== octetPieces || depth === mostNested) return [];
  return childrenOf(bytes, element, octetPieces).flatMap((piece) =>
    octetsOf(bytes, piece, depth + 1),
  );
}

function childrenOf(bytes: Uint8Array, parent: Element | undefined, tag: number): Element[] {
  const children: Element[] = [];
  if (parent?.tag !== tag) return children;
  for (let at = parent.start; at < parent.end && children.length < mostChildren;) {
    const child = elementAt(bytes, at);
    if (child === undefined || child.next > parent.end) break;
    children.push(child);
    at = child.next;
  }
  return children;
}

/** Reads one element. Undefined if it is cut off or has another form. */
function elementAt(bytes: Uint8Array, at: number, depth = 0): Element | undefined {
  const [tag, first] = [bytes[at], bytes[at + 1]];
  if (tag === undefined || first === undefined || depth === mostNested) return undefined;
  if (first === 0x80) return unboundedAt(bytes, at, tag, depth);
  const lengthBytes = first < 0x80 ? 0 : first & 0x7f;
  const start = at + 2 + lengthBytes;
  if (lengthBytes > 4 || start > bytes.length) return undefined;
  const length = bytes.subarray(at + 2, start).reduce((sum, byte) => sum * 256 + byte, 0);
  const end = start + (lengthBytes === 0 ? first : length);
  return end > bytes.length ? undefined : { tag, start, end, next: end };
}

/** Reads an element of unknown length, which two zero bytes end. */
function unboundedAt(
  bytes: Uint8Array,
  at: number,
  tag: number,
  depth: number,
): Element | undefined {
  const start = at + 2;
  for (let end = start; end + 1 < bytes.length;) {
    if (bytes[end] === 0 && bytes[end + 1] === 0) return { tag, start, end, next: end + 2 };
    const child = elementAt(bytes, end, depth + 1);
    if (child === undefined) return undefined;
    end = child.next;
  }
  return undefined;
}
