/** Forms of a request after which its data begins: a name, a quotation, or the words of a message. */
const data: readonly RegExp[] = [
  /"([^"]+)"|“([^”]+)”|„([^“]+)“|«([^»]+)»/g,
  // The name of a channel, an address, the key of an issue, the name of a file.
  /(?<!\w)#([a-z][\w-]*)/gi,
  /([\w.+-]+@[\w-]+(?:\.[\w-]+)+)/g,
  /\b([A-Z]{2,8}-\d+)\b/g,
  /(?<![\w/.])([\w-]+\.(?:txt|md|csv|json|ya?ml|log|sql|pdf|docx?|xlsx?|pptx?|png|jpe?g|zip))\b/gi,
  /\b(?:called|named|titled|entitled)\s+(\S+(?:\s+(?!(?:in|on|at|for|from|to|with|off|under|and|of|by)\b)\S+){0,3})/gi,
  /\b(?:remember|remind \w+|tell \w+|mail \w+|message \w+|write(?: \w+)?|note|noting|say|saying|post|comment|reply|answer|inform \w+|warn \w+)\b.{0,40}?\bthat\s+(.+)/gi,
  /\b(?:remind \w+|tell \w+|ask \w+) to\s+(.+)/gi,
];

/**
 * Returns the words of a request that are its data: "Invoices" in "Make a folder called Invoices". They hardly
 * describe the tool. Words that are also elsewhere in the request are left out.
 * @param wordsOf returns the words of a text, as the search reads them
 */
export function dataWords(
  request: string,
  wordsOf: (text: string) => readonly string[],
): ReadonlySet<string> {
  const spans = data.flatMap((form) =>
    [...request.matchAll(form)].map((match) => match.slice(1).find((each) => each) ?? ""),
  );
  const rest = spans.reduce((left, span) => left.replace(span, " "), request);
  const outside = new Set(wordsOf(rest));
  return new Set(spans.flatMap(wordsOf).filter((word) => !outside.has(word)));
}
