import { type HtmlText, readHtml } from "../html/html-text.ts";
import { hasOtherFigures, partsDiffer, saysMore } from "./parts-differ.ts";
import { tidy } from "./tidy-text.ts";

/** Sentences of text parts that are only placeholders. */
const placeholder =
  /(?:view|read|see|open)\b.{0,40}\b(?:in (?:your|a|the) (?:web )?browser|online|html|web version)|(?:does|do|can)\s?(?:not|n't) (?:support|display|show|read|view)\b.{0,30}\bhtml|html[- ](?:capable|enabled|compatible)|im browser (?:ansehen|öffnen|anzeigen)|dans (?:votre|le) navigateur|en (?:el|tu|su) navegador/i;

/** A text part with fewer words than this share of the HTML part is incomplete. */
const muchShorter = 0.4;

/** One of the two parts as plain text. */
export interface RicherText extends HtmlText {
  from: "plain" | "html";
  /** True if the parts differ in content. The HTML part was then chosen, if it has words. */
  partsDiffer?: true;
  /** True if the HTML part has no words. A mail program then shows no word of the text part. */
  isUnseen?: true;
}

/**
 * Returns the richer of the two parts as plain text. Either may be absent. If the text part has words that are not in
 * the HTML part, the HTML part is chosen, because a mail program shows it.
 */
export function richerText(plain: string | undefined, html: string | undefined): RicherText {
  const text = plain === undefined ? "" : tidy(plain);
  const own = { text, invisible: 0, from: "plain" } as const;
  if (html === undefined || html.trim() === "") return own;
  const read = readHtml(html);
  const fromHtml = { ...read, text: tidy(read.text), from: "html" } as const;
  if (text.trim() === "") return fromHtml;
  const words = wordCount(text);
  const htmlWords = wordCount(fromHtml.text);
  // The text part may describe a page of pictures, or contain text that its reader is not meant to see.
  if (htmlWords === 0)
    return words === 0 ? own : { ...own, ...read, text, partsDiffer: true, isUnseen: true };
  const said = text.split("\n").filter((line) => !placeholder.test(line.slice(0, 1_000)));
  const isStub = words < htmlWords * muchShorter;
  const compared = said.join("\n");
  if (
    partsDiffer(compared, fromHtml.text, isStub) ||
    hasOtherFigures(compared, fromHtml.text, html)
  )
    return { ...fromHtml, partsDiffer: true };
  // A mail program shows the HTML part, so no word of the text part alone reaches the model.
  if (isStub || saysMore(text, fromHtml.text, html)) return fromHtml;
  if (words < 60 && htmlWords > words && placeholder.test(text)) return fromHtml;
  return own;
}

/** Counts letters and digits outside links. Links make up much of a newsletter's HTML and carry no content. */
function wordCount(text: string): number {
  let count = 0;
  // One match at a time, because a list of a million words takes fifty megabytes.
  for (const [word] of text.replace(/\bhttps?:\/\/\S+/g, "").matchAll(/[\p{L}\p{N}]+/gu))
    count += word.length;
  return count;
}
