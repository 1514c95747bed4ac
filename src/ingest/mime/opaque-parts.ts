import type { MimePart } from "./read-mime.ts";

/** Parts that this server does not read as a part of the message, with the sentence that is shown for them. */
const sentences: readonly (readonly [RegExp, string])[] = [
  [
    /^application\/(?:x-)?pkcs7-mime$/,
    "This message, or a part of it, is encrypted or sealed with S/MIME. It cannot be opened here: a mail program with the right key can.",
  ],
  [
    /^application\/pgp-encrypted$/,
    "This message is encrypted with PGP. It cannot be opened here: a mail program with the right key can.",
  ],
  [
    /^application\/(?:vnd\.)?ms-tnef$/,
    "Outlook packed a part of this message as winmail.dat (TNEF). The text of that attachment contains it.",
  ],
  [
    /^application\/(?:mac-binhex40|x-binhex40)$/,
    "A part of this message is in BinHex. It is an attachment and is not unpacked here.",
  ],
  [
    /^message\/partial$/,
    "This is one piece of a message that was sent in several pieces. They are not joined here.",
  ],
  [
    /^message\/external-body$/,
    "A part of this message is stored elsewhere by its sender. It was not fetched.",
  ],
];

const pgpBlock = /^-----BEGIN PGP MESSAGE-----$/m;
/** The line above a file in BinHex (RFC 1741). */
const binHexBlock = /^\(This file must be converted with BinHex/m;

/** Returns one sentence for each kind of such part. */
export function opaqueNotes(text: string, parts: readonly MimePart[]): string[] {
  const found = sentences.filter(([type], index) =>
    parts.some(
      ({ mimeType, name }) =>
        type.test(mimeType) ||
        (index === 0 && /\.p7m$/i.test(name ?? "")) ||
        (index === 2 && /^winmail\.dat$/i.test(name ?? "")),
    ),
  );
  const notes = found.map(([, sentence]) => `[${sentence}]`);
  if (pgpBlock.test(text))
    notes.push("[The block between the PGP lines is encrypted. It cannot be opened here.]");
  if (binHexBlock.test(text))
    notes.push("[The block below the line that names BinHex is a file. It is not unpacked here.]");
  return notes;
}
