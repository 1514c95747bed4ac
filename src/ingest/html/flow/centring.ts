import { lengthOf } from "../../css/values.ts";

/**
 * A box that centres its content. Content that is too large sticks out at both ends (CSS Box Alignment 3, section 4.4).
 * CSS pixels.
 */
export interface Centring {
  /** The content as a whole is centred, or each of its items. */
  whole: Sides;
  items: Sides;
  /** The side on which `align-self` centres an item. */
  self: keyof Sides;
  /** The size of the box, or of the row or column of an item. Infinity if the content determines it. */
  width: number;
  height: number;
}

export interface Sides {
  across: boolean;
  down: boolean;
}

type Style = ReadonlyMap<string, string>;

const centre = /^(?:unsafe )?center$/;

/** Returns how a box centres its content. Undefined for a box without items. */
export function centringOf(
  style: Style,
  em: number,
  size: { width: number; height: number },
): Centring | undefined {
  const display = style.get("display") ?? "";
  const is = (name: string): boolean => centre.test(style.get(name) ?? "");
  const along = is("justify-content");
  const across = is("align-items");
  if (display.endsWith("grid")) {
    const first = (tracks: string): number =>
      lengthOf(style.get(tracks)?.split(" ", 1)[0], em, NaN) || Infinity;
    const [width, height] = [first("grid-template-columns"), first("grid-template-rows")];
    const down = is("align-content");
    return {
      whole: { across: along, down },
      items: { across: is("justify-items"), down: across },
      self: "down",
      width: along ? size.width : width,
      height: down ? size.height : height,
    };
  }
  if (!/(?:flex|-webkit-(?:inline-)?box)$/.test(display)) return undefined;
  const isDown =
    (style.get("flex-direction") ?? "").startsWith("column") ||
    /^(?:vertical|block-axis)$/.test(style.get("-webkit-box-orient") ?? "");
  const wraps = (style.get("flex-wrap") ?? "").startsWith("wrap");
  return {
    whole: {
      across: !isDown && !wraps && along,
      down: isDown ? along : wraps && is("align-content"),
    },
    items: { across: isDown && across, down: !isDown && !wraps && across },
    self: isDown ? "across" : "down",
    ...size,
  };
}

/** Returns whether a box centres its content or its items. */
export function isCentring({ whole, items }: Centring): boolean {
  return [whole, items].some(({ across, down }) => across || down);
}

/** Returns whether an item is itself centred. Undefined if the box around it decides. */
export function isSelfCentred(align: string | undefined): boolean | undefined {
  return align === undefined || /^(?:auto|normal)$/.test(align) ? undefined : centre.test(align);
}
