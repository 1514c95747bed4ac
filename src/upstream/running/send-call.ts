import type { Cancellation } from "../../core/shared/lazy-signal.ts";
import type { TellProgress } from "../../core/tool/tool.ts";
import type { ServerEntry, UpstreamResult } from "../../ports/upstream/upstream-server.ts";

/** A tool as it was reviewed. */
export interface ReviewedDefinition {
  entry: ServerEntry;
  tool: string;
  hash: string;
}

/** Sends a call to the server if its definition is still the reviewed one. */
export type SendCall = (
  call: ReviewedDefinition & {
    arguments: Readonly<Record<string, unknown>>;
    /** True if the call may change something. */
    acts: boolean;
    signal: Cancellation;
    progress?: TellProgress | undefined;
  },
) => Promise<UpstreamResult>;

/** Starts the server if it does not run, and lists its tools. @throws ToolError if the tool is not the reviewed one */
export type ConfirmDefinition = (tool: ReviewedDefinition) => Promise<void>;
