/** Words with one meaning. The first of each group is the usual one in the names of tools, the others are those of requests. */
const groups = [
  "create make new add open start file set insert",
  "get read show see view display open fetch retrieve content",
  "list which all show every what",
  "delete remove erase drop forget clear uninstall cancel",
  "update change edit modify replace rename set close patch correct",
  "search find look query",
  "send post write tell say publish",
  "write save store",
  "move rename",
  "navigate go visit open",
  "type enter write",
  "directory folder",
  "directions drive route walk way",
  "places restaurant shop hotel nearby cafe",
  "elevation altitude high height level",
  "image picture photo",
  "reply answer respond",
  "add append attach",
  "upload attach",
  "reaction react emoji",
  "comment note remark",
  "history last recent log",
  "browser website web site page",
  "message text chat",
  "user person people member who",
  "event appointment meeting",
  "calendar schedule",
  "task todo",
  "email mail",
  "execute run",
  "status state",
  "merge combine join",
  "count many number",
  "diff compare difference",
  "schema field structure column",
  "size large big small",
] as const;

const related = new Map<string, Set<string>>();
for (const group of groups) {
  const words = group.split(" ");
  for (const word of words) {
    const known = related.get(word) ?? new Set<string>();
    known.add(words[0] ?? "");
    related.set(word, known);
  }
}

/** Returns the words that tools use for those of a request. */
export function relatedWords(words: readonly string[]): readonly string[] {
  return [...new Set(words.flatMap((word) => [...(related.get(word) ?? [])]))].filter(
    (word) => !words.includes(word),
  );
}
