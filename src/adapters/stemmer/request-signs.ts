/** Forms of values in a request, and the words of tools that take such a value. */
const signs: readonly (readonly [form: RegExp, words: string])[] = [
  [/https?:\/\/|\bwww\./i, "url page fetch"],
  [/(?<![\w@.])[\w-]+\.(?:com|org|net|io|dev|edu|gov|info)\b/i, "url navigate website"],
  [/[\w.+-]+@[\w-]+\.\w/, "email contact"],
  [/(?<![\w/])@[\w-]+/, "user mention"],
  [/(?<!\w)#\d+/, "issue number"],
  [/(?<!\w)#[a-z][\w-]*/i, "channel"],
  [/-?\d{1,3}\.\d+ *, *-?\d{1,3}\.\d+/, "coordinates latitude location geocode"],
  [/\b(?=[a-f]*\d)(?=\d*[a-f])[\da-f]{6,40}\b/, "commit revision hash id"],
  [/\b[A-Z]{2,8}-\d+\b/, "issue ticket key"],
  [
    /\b(?:give|hand|pass) (?:[A-Z]{2,8}-\d+|#\d+|(?:the|this|that|my) (?:\S+ )?(?:ticket|issue|task|bug))(?: over)? to\b/i,
    "assign",
  ],
  [
    /^(?:please )?(?:move|drag|pull|push) (?:[A-Z]{2,8}-\d+|(?:the|this|that|my) (?:\S+ )?(?:ticket|issue|story|card|task)) (?:over )?(?:in)?to\b/i,
    "transition status",
  ],
  [/\b(?:document|window|navigator|localStorage)\.\w+/, "javascript evaluate expression"],
  [
    /^(?:ls|cat|head|tail|mkdir|touch|rm|mv|cp|grep|find|chmod|stat|du|tree) [-~./\w]*[./-]/,
    "file directory path",
  ],
  [
    /\d *(?:\+|-|\*|plus|minus|times|divided by) *\d|\badd \d+ (?:and|to) \d/i,
    "sum add numbers calculate",
  ],
  [/\b\d{1,2}(?::\d\d)? ?[ap]\.?m\b|\b\d{1,2}:\d\d\b/i, "time"],
  [/[$€£¥]\s?\d|\d\s?(?:[$€£]|usd|eur|dollars?|euros?)(?!\w)/i, "amount price payment"],
  [/(?<!\w)[\w-]+\.(?:jpe?g|png|gif|webp|svg|bmp|heic|mp3|wav|ogg|mp4)\b/i, "image media file"],
  [/(?<!\w)[\w-]+\.(?:txt|md|csv|json|ya?ml|ini|toml|log|conf|env|html?|xml)\b/i, "file text"],
  [/(?<!\w)[\w-]+\.(?:docx?|pdf|pptx?|xlsx?|odt|rtf|zip|tar|gz)\b/i, "file document"],
  [/(?<!\w)[\w-]+\.(?:xlsx?|ods)\b/i, "excel worksheet spreadsheet"],
  [/(?<!\w)[\w-]+\.(?:docx?|odt)\b/i, "word"],
  [/(?<!\w)[\w-]+\.(?:pptx?|odp)\b/i, "presentation slide"],
  [/(?<!\w)=[A-Z]{2,}\(/, "formula cell"],
  [/\b(?:cell|column|row)s? [A-Z]{1,2}\d{0,4}\b/, "cell range values"],
  [/\b(?:in|into|of|from) [A-Z]{1,2}\d{1,4}\b/, "cell values spreadsheet"],
  [/\b[A-Z]{1,2}\d{1,4}:[A-Z]{1,2}\d{1,4}\b/, "range cells"],
  [/^(?:please )?(?:e-?mail|mail)\s.+\sto\s/i, "send"],
  [/^(?:please )?(?:text|sms)\s+[+\d]/i, "sms send message"],
  [/(?<!\w)[\w-]+\.(?:js|ts|py|java|go|rs|c|cpp|rb|php|sh|sql)\b/, "file code"],
  [/(?<!\w)(?:~|\.{1,2})?\/[\w.-]+\/?[\w./-]*/, "path file directory"],
  [/\.[a-z]{2,4}\b.*(?:,|\band\b|&).*\.[a-z]{2,4}\b/i, "multiple files"],
  [/(?<![\w./~:-])[a-z][\w-]*\/[a-z][\w-]*(?![\w./-])/i, "repository owner"],
  [
    /^(?:please )?(?:e-?mail|mail|write|write to|text|message|ping|tell)\s+(?!me\b|to\b|the\b|this\b|a\b)\p{Lu}/iu,
    "send email message",
  ],
  [/^(?:please )?(?:write|note|say|mention) (?:at|in|on|under) .{1,40}\bthat\s/i, "comment note"],
  [/\b[A-Z]{2,8}-\d+\b.*\b[A-Z]{2,8}-\d+\b|#\d+\b.*#\d+\b/, "link relation issues"],
  [/\b\d+ (?:euros?|dollars?)|\bas (?:euros?|dollars?|percent|currency)\b/i, "currency number"],
  [/\b10\.\d{4,9}\/\S+/, "doi"],
  [/\bselect\b.+\bfrom\b|\binsert into\b|\bupdate\b.+\bset\b/i, "sql query database"],
  [/\bINSERT INTO\b|\bUPDATE \w+ SET\b|\bDELETE FROM\b/i, "execute statement sql"],
  [/\b(?:localhost|127\.0\.0\.1)\b/i, "url navigate"],
  [/^(?:the )?top \d+\b/i, "query sql"],
  [/^(?:move|put) [\w-]+\.\w{2,4} (?:to|into|in)\b/i, "move file"],
  [/^(?:rename) [\w-]+\.\w{2,4} (?:to|as)\b/i, "rename move file"],
  [/^(?:create|make|write|save) (?:a file )?[\w-]+\.\w{2,4}\b/i, "write file"],
  [/\bhow (?:big|large|old) is [\w-]+\.\w{2,4}\b/i, "file info metadata size"],
  [/^tell .{1,40}\b[A-Z]{2,8}-\d+ that\b/, "comment issue"],
];

/** Returns the words of tools that take a value such as one in the request: an address, a file name, an amount. */
export function signWords(request: string): readonly string[] {
  return signs.filter(([form]) => form.test(request)).flatMap(([, words]) => words.split(" "));
}
