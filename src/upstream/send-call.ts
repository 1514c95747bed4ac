import type { TellProgress } from "../core/tool/tool.ts";
import type { ServerEntry, UpstreamAnswer } from "../ports/upstream/upstream-server.ts";

/** Sends a call to the server if its definition is still the reviewed one. */
export type SendCall = (call: {
  entry: ServerEntry;
  tool: string;
  hash: string;
  arguments: Readonly<Record<string, unknown>>;
  acts: boolean;
  signal: AbortSignal;
  progress?: TellProgress | undefined;
}) => Promise<UpstreamAnswer>;
