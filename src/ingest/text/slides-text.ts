import { invisibleNote } from "../html/html-text.ts";
import { boundedText, isOn, unpacked, xmlAttribute, xmlTokens } from "./office-files.ts";

const slide = /^ppt\/slides\/slide(\d{1,5})\.xml$/;

/**
 * Extracts the text of slides (ECMA-376 part 1, 19.3), in the order of their numbers. Hidden slides are left out.
 * @throws if there are none
 */
export function slidesText(content: Uint8Array): string {
  const files = unpacked(content, (name) => slide.test(name));
  const numberOf = (name: string): number => Number(slide.exec(name)?.[1]);
  const names = files.names.toSorted((one, other) => numberOf(one) - numberOf(other));
  if (names.length === 0) throw new Error("There are no slides in this file, or too much.");
  const text = boundedText();
  let hidden = 0;
  for (const name of names) {
    let isText = false;
    let isHidden = false;
    for (const token of xmlTokens(files.read(name) ?? "")) {
      if (token.name === "p:sld" && !token.isEnd) {
        const show = xmlAttribute(token, "show");
        isHidden = show !== undefined && !isOn(show);
        if (isHidden) hidden += 1;
      }
      if (isHidden) break;
      if (token.name === "") {
        if (isText) text.add(token.text);
      } else if (token.name === "a:t") isText = !token.isEnd && !token.isEmpty;
      else if (token.name === "a:br" || (token.name === "a:p" && token.isEnd)) text.add("\n");
    }
    text.add("\n");
  }
  const note = invisibleNote({ invisible: hidden });
  return [text.toString().trim(), note].filter((one) => one !== "").join("\n\n");
}
