import { outside } from "./box/offset.ts";
import { type ComputedStyle, pageStyle, smallest } from "./html-computed-style.ts";
import { leastOpacity } from "./html-mask.ts";
import { leastContrast } from "./html-paint.ts";
import { blended, filtered } from "../css/colour-effects.ts";
import { type Colour, contrast, over } from "../css/values.ts";

/** Text that begins this far to the left of its box is cut or overlaps with other text. CSS pixels. */
const farIndent = 70;

/** Returns whether a reader sees text with this computed style. */
export function isSeen({ fontSize, scale, isVisible, ink, fill, ...css }: ComputedStyle): boolean {
  if (!isVisible || fontSize * scale < smallest) return false;
  if (css.indent + Math.max(0, css.offset.right) <= -farIndent || css.indent >= outside.forth)
    return false;
  if (css.isBehind || css.letterSpacing <= -fontSize / 2) return false;
  if (css.letterSpacing >= 10 * fontSize || Math.abs(css.wordSpacing) >= 20 * fontSize)
    return false;
  if (css.isWide && /right|end|center/.test(css.align)) return false;
  if (css.isPainted) return true;
  const plain = fill ?? ink;
  if (plain[3] * css.opacity < leastOpacity) return false;
  if (css.ground === undefined) return true;
  // A background within the filtered or blended element is changed together with the text.
  const changed = (colour: Colour, isOutside = false): Colour | undefined => {
    const seen = css.filter && !isOutside ? filtered(colour, css.filter.value) : colour;
    return css.blend ? blended(seen, css.blend.ground, css.blend.mode) : seen;
  };
  const isFiltered = css.filter !== undefined && css.filter.ground !== css.ground;
  const ground = css.blend?.ground === css.ground ? css.ground : changed(css.ground, !isFiltered);
  if (ground === undefined) return true;
  const isDistinct = (one: Colour): boolean =>
    contrast(over(one, ground, css.opacity), ground) >= leastContrast;
  const colour = changed(plain);
  // Browsers blend only with painted backgrounds.
  const isAlone = css.blend?.ground === pageStyle.ground;
  return colour === undefined || (isDistinct(colour) && (!isAlone || isDistinct(plain)));
}
