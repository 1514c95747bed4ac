import { commands } from "../commands.ts";
import { rows } from "./help-text.ts";

/**
 * Returns what `countersign --help` prints.
 * @param program as a person can type it
 */
export function overview(program: string): string {
  const column = 2 + Math.max(...commands.map(({ name }) => name.length));
  return [
    `Usage: ${program} COMMAND [OPTIONS]`,
    rows(
      commands.map(({ name, summary }) => [name, summary]),
      column,
    ),
    `Without a command, the program serves over stdio in a pipe, and offers \`init\` at a terminal.\n\`${program} COMMAND --help\` prints the forms and options of a command.`,
  ].join("\n\n");
}
