import { ToolError } from "../../core/tool/tool-error.ts";

/** Returns the error for a name that the file of servers does not have. */
export function unknownServer(name: string, known: readonly string[]): ToolError {
  const list = known.length === 0 ? "There are no servers yet." : `Servers: ${known.join(", ")}.`;
  return new ToolError(
    "not_found",
    `There is no server ${JSON.stringify(name)}. Nothing was done.`,
    {
      hint: list,
    },
  );
}
