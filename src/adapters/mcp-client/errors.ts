import { ToolError } from "../../core/tool/tool-error.ts";

/** `acts` is true for a call that may have changed something before it failed. */
interface Sent {
  acts: boolean;
}

const nothing = "Nothing was done.";
const unknown = "It may have happened: look before calling again.";

/** Returns the error of a connection that failed before a call was sent. */
export function notStarted(server: string, reason: string, cause?: unknown): ToolError {
  return new ToolError("unavailable", `The server ${server} ${reason}. ${nothing}`, {
    hint: "Tell the user. `countersign servers review NAME` starts the server and prints the cause.",
    cause,
  });
}

/** Returns the error of a server whose process ended during a call. */
export function lost(server: string, reason: string, { acts }: Sent, cause?: unknown): ToolError {
  return new ToolError(
    "unavailable",
    `The server ${server} ${reason} before it answered. ${acts ? unknown : nothing}`,
    { sideEffects: acts ? "unknown" : "none", cause },
  );
}

export function tooLate(server: string, timeoutMs: number, { acts }: Sent): ToolError {
  const seconds = Math.round(timeoutMs / 1000);
  return new ToolError(
    "timeout",
    `The server ${server} did not answer within ${seconds} s. ${acts ? unknown : nothing}`,
    { sideEffects: acts ? "unknown" : "none" },
  );
}

/** Returns the error of a call that the server answered with a protocol error. The server's own text is only logged. */
export function refusedByServer(server: string, code: number, cause: unknown): ToolError {
  return new ToolError(
    "unavailable",
    `The server ${server} answered with the protocol error ${code}. ${nothing}`,
    { cause },
  );
}

export function unreadable(server: string, { acts }: Sent, cause?: unknown): ToolError {
  return new ToolError(
    "unavailable",
    `The server ${server} answered in a form that is not MCP. ${acts ? unknown : nothing}`,
    { sideEffects: acts ? "unknown" : "none", cause },
  );
}
