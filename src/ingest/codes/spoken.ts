import { alignedLowerCase } from "./text-forms.ts";
import type { TextRange } from "./text-ranges.ts";
import { withRanges } from "./letters.ts";

/** Words directly before a value that only shows what a code looks like. */
const exampleBefore =
  /(?:(?:for|as an) (?:example|instance)|e\.\s?g\.|such as|looks? like|zum beispiel|beispielsweise|z\.\s?b\.|par ex(?:emple|\.)|p\.\s?ex\.|por ejemplo|p\.\s?ej\.|por exemplo|(?:ad|per) esempio|ad es\.|bijvoorbeeld|bijv\.|na przykład|например|till exempel|t\.\s?ex\.|örneğin|mesela|\bnp\.|\betwa|\btipo|\bimagine|\bimagina|\bimmagina|\bstell dir vor|\bwie etwa|\bwie z\. ?b\.|\bzoals|\btel que|\bdu (?:style|genre)|\bdel tipo|\bdo tipo|例えば|たとえば|例如|比如|譬如|[(（]例|[(（](?:ex\.?|exemple|example|beispiel|ejemplo|exemplo|esempio|voorbeeld|bsp\.)|[,(] ?(?:comme|como|come|wie|like|zoals|jak))[\s:：,，、]{0,3}["'“„«「『]?$/u;
/** Characters before a value that are read. */
const exampleCharacters = 24;

/** Returns whether a value is only an example, as in help texts. */
export function isExample(text: string, { start }: TextRange): boolean {
  return exampleBefore.test(
    alignedLowerCase(text.slice(Math.max(0, start - exampleCharacters), start)),
  );
}

/** Characters on each side of a value in which a quotation begins and ends. */
const quotedCharacters = 100;
const openQuote = withRanges(
  String.raw`["“”„«「『‘][^"“”„«»「」『』\n]*\p{L}[^"“”„«»「」『』\n]*$`,
);
const closeQuote = /^[^"“”„«»「」『』\n]*["”“»」』’]/u;

/** Returns whether a value is a part of quoted words, as in warnings of fraud. */
export function isQuoted(text: string, { start, end }: TextRange): boolean {
  return (
    openQuote.test(text.slice(Math.max(0, start - quotedCharacters), start)) &&
    closeQuote.test(text.slice(end, end + quotedCharacters))
  );
}

const replySubject =
  /^\s*(?:re|aw|antw|sv|vs|vb|odp|ynt|ilt|отв|rif|r|fwd?|wg|tr|i|rv|enc|pd|回复|回覆|答复|转发|轉寄|返信|転送)\s*(?:\[\d+\])?[:：]/iu;

/** Returns whether a message is a reply or passed on, as people write to each other. */
export const isReply = (subject: string, text: string): boolean =>
  replySubject.test(subject) || /^>|^-{5,} ?[^\s-]|^\[Earlier messages, quoted:\]/mu.test(text);

/** Returns a subject without the sign that its message is a reply or passed on. */
export const subjectWithoutPrefix = (subject: string): string =>
  subject.replace(replySubject, "").trimStart();
