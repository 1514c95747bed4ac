import { ToolError } from "../../core/tool/tool-error.ts";

/**
 * A server did not start. `words` is the end of its process's standard error, and `answer` the message of its error.
 * Both are untrusted text.
 */
export class ServerNotStarted extends ToolError {
  readonly words: string | undefined;
  readonly answer: string | undefined;
  /** The action that helps. Undefined if the entry in `servers.json` or the program may be wrong. */
  readonly fix: string | undefined;

  constructor(
    message: string,
    {
      words,
      answer,
      fix,
      cause,
      command,
    }: {
      words?: string | undefined;
      answer?: string | undefined;
      fix?: string | undefined;
      cause: unknown;
      command: string;
    },
  ) {
    super("unavailable", message, {
      hint: `Tell the user. \`${command} doctor\` tries the server and prints the cause.`,
      cause,
    });
    this.words = words;
    this.answer = answer;
    this.fix = fix;
  }
}
