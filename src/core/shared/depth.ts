/**
 * Returns true if objects and arrays are nested in more than this many levels. Deeper levels are not visited, so no
 * depth exhausts the stack.
 */
export function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== "object" || value === null) return false;
  return levels === 0 || Object.values(value).some((part) => isDeeper(part, levels - 1));
}
