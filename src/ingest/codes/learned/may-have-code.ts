import { anyBegins } from "../beginnings.ts";
import { groupsIn, hasSign, textSigns } from "../text-pass.ts";
import { searched } from "./find-learned.ts";
import { inHan } from "./other-forms.ts";
import { letterGroupsIn } from "./word-codes.ts";

const ofMany = textSigns.digit | textSigns.slashes | textSigns.hyphen | textSigns.capitals;

/**
 * Returns whether any search may find something in a text. If not, the other patterns need not be searched, and V8 need
 * not compile them and the code around them. In most imports that takes longer than the searches.
 */
export const mayHaveCode = (text: string): boolean =>
  // The end of the part that is searched may be that of a code.
  text.length > searched ||
  hasSign(text, ofMany) ||
  anyBegins(text) ||
  (hasSign(text, textSigns.han) && inHan(text).length > 0) ||
  (groupsIn(text).length > 0 && letterGroupsIn(text).length > 0);
