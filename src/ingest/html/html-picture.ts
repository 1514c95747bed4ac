import type { DomNode } from "html-to-text";
import { lengthOf } from "../css/values.ts";
import { attribute } from "./html-page.ts";

/** Largest picture that counts as a dot. Pixels. */
const dot = 3;

/** Returns whether the picture of an element is in the page itself, and is one dot that is drawn at its own size. */
export function isDotPicture(picture: DomNode): boolean {
  const isSized = ["width", "height", "style"].some(
    (name) => attribute(picture, name) !== undefined,
  );
  const source = (attribute(picture, "src") ?? "").slice(0, 200);
  const [, data] = /^\s*data:image\/[^;,]*;base64,(.*)/i.exec(source) ?? [];
  if (isSized || data === undefined) return false;
  const bytes = Buffer.from(data, "base64");
  const isGif = bytes.subarray(0, 3).toString("latin1") === "GIF";
  if (isGif && bytes.length >= 10)
    return bytes.readUInt16LE(6) <= dot && bytes.readUInt16LE(8) <= dot;
  const isPng = bytes.subarray(1, 4).toString("latin1") === "PNG";
  return (
    isPng && bytes.length >= 24 && bytes.readUInt32BE(16) <= dot && bytes.readUInt32BE(20) <= dot
  );
}

/** Returns whether a picture is a tracking pixel, which shows nothing to a reader. */
export function isPixel(picture: DomNode): boolean {
  return ["width", "height"].some((side) => lengthOf(attribute(picture, side)) <= 1);
}
