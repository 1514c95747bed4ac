/** An object whose fields are not known, such as arguments or a result. */
export type Data = Readonly<Record<string, unknown>>;

/** Returns whether a value is an object, and not an array. */
export function isData(value: unknown): value is Data {
  return isContainer(value) && !Array.isArray(value);
}

/** Returns whether a value is an object or an array, whose elements are its fields. */
export function isContainer(value: unknown): value is Data {
  return typeof value === "object" && value !== null;
}

/** Returns a field of a value of unknown form, also an inherited one. Undefined if the value is not an object. */
export function fieldAt(value: unknown, name: string): unknown {
  return isContainer(value) ? Reflect.get(value, name) : undefined;
}

/**
 * The deepest nesting of a call's arguments, and of a result that is compared or shown as data. No tool that was seen
 * needs a tenth of it, and both need the stack for each level.
 */
export const maxLevels = 100;

/**
 * Returns true if objects and arrays are nested in more than this many levels. Deeper levels are not visited, so no
 * depth exhausts the stack.
 */
export function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== "object" || value === null) return false;
  return levels === 0 || Object.values(value).some((part) => isDeeper(part, levels - 1));
}
