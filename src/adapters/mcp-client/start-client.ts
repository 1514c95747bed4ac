import {
  Client,
  ProtocolError,
  SdkError,
  SdkErrorCode,
  UnsupportedProtocolVersionError,
  type VersionNegotiationMode,
} from "@modelcontextprotocol/client";
import { ToolError } from "../../core/tool/tool-error.ts";
import type { ServerEntry } from "../../ports/upstream/upstream-server.ts";
import {
  type UpstreamPlace,
  failedRequest,
  notStarted,
  refusedStart,
  unknownVersion,
} from "./errors.ts";
import { HttpTransport, disconnected } from "./http-transport.ts";
import { ProcessTransport } from "./process-transport.ts";

const startWithinMs = 30_000;
/**
 * A program that does not answer the first request of the newest era within this time is used with an older one.
 * Milliseconds.
 */
const eraWithinMs = 10_000;
const newest = "2026-07-28";

/** A client of the SDK, connected to an upstream server. */
export interface StartedClient {
  client: Client;
  transport: HttpTransport | ProcessTransport;
}

type Transport = StartedClient["transport"];

/**
 * Returns the function that connects a client to a server, in the newest protocol era that both know. `open` creates the
 * connection of one attempt.
 */
export function clientStarter({ version, command }: { version: string; command: string }) {
  /** How servers are started whose protocol era was not found by the first request. */
  const modes = new WeakMap<ServerEntry, VersionNegotiationMode>();

  async function started(
    entry: ServerEntry,
    open: () => Transport,
    mode: VersionNegotiationMode,
  ): Promise<StartedClient> {
    const transport = open();
    const beganAt = performance.now();
    const mayBeSilent = entry.target.kind === "process" && mode === "auto";
    const client = new Client(
      { name: "countersign", version },
      {
        capabilities: {},
        versionNegotiation: { mode, ...(mayBeSilent && { probe: { timeoutMs: eraWithinMs } }) },
        // Off, because the SDK would answer questions by sending the call again.
        inputRequired: { autoFulfill: false },
      },
    );
    try {
      await start(client, transport, { server: entry.name, command });
    } catch (thrown) {
      const isRemembered = modes.delete(entry);
      // Some older servers exit, or answer with HTTP 500, at a first request that they do not know.
      if (mode === "auto" && transport.failedUnheard) return await started(entry, open, "legacy");
      // A program that starts slowly reads the first request after its time, and then refuses the older era.
      if (typeof mode === "string" && speaks(thrown, newest)) {
        const found = await started(entry, open, { pin: newest });
        modes.set(entry, { pin: newest });
        return found;
      }
      // The server may speak an older era than at its last start. Its first request then fails, or ends it.
      const isQuick = performance.now() - beganAt < startWithinMs;
      if (isRemembered && isQuick && typeof mode === "object")
        return await started(entry, open, "auto");
      throw thrown;
    }
    return { client, transport };
  }

  return async (entry: ServerEntry, open: () => Transport): Promise<StartedClient> => {
    const one = await started(entry, open, modes.get(entry) ?? "auto");
    const isOlder = one.client.getProtocolEra() === "legacy";
    if (entry.target.kind === "process" && isOlder) modes.set(entry, "legacy");
    return one;
  };
}

/** Connects within the time for a start. @throws ToolError */
async function start(client: Client, transport: Transport, at: UpstreamPlace): Promise<void> {
  let isLate = false;
  const timer = setTimeout(() => {
    isLate = true;
    void transport.close();
  }, startWithinMs);
  try {
    await client.connect(transport, { timeout: startWithinMs });
  } catch (cause) {
    const fault = transport instanceof HttpTransport ? transport.faultOfStart(cause) : undefined;
    // The SDK disconnects after a response that it cannot use.
    const reason = transport.reason === disconnected ? undefined : transport.reason;
    await transport.close();
    if (fault !== undefined) throw failedRequest(at, fault, { acts: false });
    const versions = versionsIn(cause);
    if (versions.length > 0) throw unknownVersion(at, versions, cause);
    if (ProtocolError.isInstance(cause)) throw refusedStart(at, cause);
    const words = transport instanceof ProcessTransport ? transport.lastWords : undefined;
    const problem =
      isLate || isTimeout(cause) ? "did not start within 30 s" : (reason ?? "does not speak MCP");
    throw notStarted(at, problem, { cause, words });
  } finally {
    clearTimeout(timer);
  }
}

/** Returns whether a server refused to start because it speaks another version, which is this one. */
function speaks(thrown: unknown, version: string): boolean {
  return thrown instanceof ToolError && versionsIn(thrown.cause).includes(version);
}

/** Returns the versions of a server with which the SDK has none in common. Empty for another error. */
function versionsIn(cause: unknown): readonly string[] {
  if (UnsupportedProtocolVersionError.isInstance(cause)) return cause.supported.map(String);
  // The SDK has no type for the response of an older server.
  const message = cause instanceof Error ? cause.message : "";
  return /^Server's protocol version is not supported: (.*)$/s.exec(message)?.slice(1) ?? [];
}

/** Returns true for a request that got no response in time. */
export function isTimeout(thrown: unknown): boolean {
  return SdkError.isInstance(thrown) && thrown.code === SdkErrorCode.RequestTimeout;
}
