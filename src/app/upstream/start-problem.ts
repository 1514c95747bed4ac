import { shownName } from "../../core/shared/text/visible.ts";
import type { ToolError } from "../../core/tool/tool-error.ts";
import { ServerNotStarted } from "../../ports/upstream/server-not-started.ts";
import type { ServerEntry, ServerTarget } from "../../ports/upstream/upstream-server.ts";
import { ownCommand } from "../platform/own-command.ts";
import { moduleProgram } from "./read-servers-file.ts";

/** Returns the command that signs in at a server. Undefined if the server refused no sign-in. */
export function loginCommand({ name }: ServerEntry, { kind }: ToolError): string | undefined {
  return kind === "auth" ? `${ownCommand()} servers login ${name}` : undefined;
}

/**
 * Returns why a server did not list its tools and how to mend it, for the person at the terminal. The problem of a
 * refused sign-in is followed by the command that signs in.
 */
export function startProblem({ target }: ServerEntry, error: ToolError): string {
  if (error.kind === "auth") return error.message;
  if (error.kind === "not_configured") return `${error.message} Only tools of a server are used.`;
  if (error.retryAfterSeconds !== undefined)
    return `${error.message} Try again in ${error.retryAfterSeconds} s.`;
  return `${error.message}${wordsOf(error)} ${(error instanceof ServerNotStarted ? error.fix : undefined) ?? fixOf(target, error)}`;
}

function fixOf(target: ServerTarget, { message }: ToolError): string {
  if (target.kind === "http") {
    const fix = 'Start it, or correct its "url" in servers.json.';
    // Servers of the old transport accept only GET at their address.
    return isOldTransport(target.url) || message.includes("HTTP status 405")
      ? `${fix} This address looks like one of the old transport HTTP+SSE, which is not supported. Most such servers also have an address that ends in /mcp.`
      : fix;
  }
  const [program, module] = target.args;
  // The entry of a module has no command that a person could correct.
  if (module !== undefined && program === moduleProgram())
    return `Correct the module, or "module" in servers.json: ${shownName(module)}.`;
  return `Try its command in a terminal, or correct "command" and "env" in servers.json: ${shownName(target.command)}.`;
}

/** Returns whether an address ends like those of the transport of 2024. Most such servers also have a newer address. */
function isOldTransport(url: string): boolean {
  return /\/sse\/?$/.test(new URL(url).pathname);
}

/** Returns the server's own words: untrusted text, in quotes, bounded, and with every character visible. */
function wordsOf(error: ToolError): string {
  if (!(error instanceof ServerNotStarted)) return "";
  const { words, answer } = error;
  if (answer !== undefined) return ` Its message: ${shownName(answer)}.`;
  return words === undefined ? "" : ` Its last output: ${shownName(words)}.`;
}
