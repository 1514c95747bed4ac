import { ToolError } from "../../core/tool/tool-error.ts";

/** A server did not start. `words` is the end of its process's standard error, which is untrusted text. */
export class ServerNotStarted extends ToolError {
  readonly words: string | undefined;

  constructor(
    message: string,
    { words, cause, command }: { words: string | undefined; cause: unknown; command: string },
  ) {
    super("unavailable", message, {
      hint: `Tell the user. \`${command} doctor\` tries the server and prints the cause.`,
      cause,
    });
    this.words = words;
  }
}
