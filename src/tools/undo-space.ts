import type { Line } from "../core/tool/tool.ts";

/** The reason why a person must decide about a change whose copy exceeds the caller's space. */
export const noSpaceLeft = "its copy exceeds the space for undo copies";

/** The same for the person who decides. */
export const beyondSpace: Line = {
  label: "undo",
  value: "a copy is kept, beyond the space for such copies",
};
