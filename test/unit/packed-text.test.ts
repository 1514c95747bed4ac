import { expect, it } from "vitest";
import { packedText, unpackedText } from "../../src/adapters/libsql/mail/packed-text.ts";

const sentence = "The meeting of the board moves to Thursday, and the room of the meeting stays. ";

it.each(["", "short", sentence, sentence.repeat(4), "会議は木曜日に移動します。".repeat(9)])(
  "packs and unpacks a text: %j",
  (text) => {
    const stored = packedText(text);
    expect(unpackedText(stored)).toBe(text);
    const bytes = stored instanceof Uint8Array ? stored.length : Buffer.byteLength(String(stored));
    expect(bytes).toBeLessThanOrEqual(Buffer.byteLength(text));
  },
);

it("packs a text with half a character, which UTF-8 cannot express", () => {
  expect(unpackedText(packedText(`${sentence.repeat(2)}\ud83d`))).toBe(
    `${sentence.repeat(2)}\ufffd`,
  );
});
