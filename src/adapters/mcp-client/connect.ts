import {
  Client,
  type Progress,
  ProtocolError,
  SdkError,
  SdkErrorCode,
  SdkHttpError,
  UnsupportedProtocolVersionError,
} from "@modelcontextprotocol/client";
import { z } from "zod";
import { createTimeoutQueue } from "../../core/call/timeout-queue.ts";
import { signalOf } from "../../core/shared/lazy-signal.ts";
import type { Log } from "../../core/shared/log.ts";
import { shownName } from "../../core/shared/text/visible.ts";
import { ToolError } from "../../core/tool/tool-error.ts";
import { readCallResult } from "./call-result.ts";
import type {
  ConnectUpstream,
  ServerEntry,
  ToolDefinition,
  UpstreamResult,
  UpstreamCall,
  UpstreamSignIn,
} from "../../ports/upstream/upstream-server.ts";
import {
  type UpstreamPlace,
  requestsInput,
  failedRequest,
  connectionLost,
  noTools,
  notStarted,
  refusedByServer,
  refusedStart,
  statusFault,
  tooLate,
  unknownVersion,
  unreadable,
} from "./errors.ts";
import { hasValidHeaders } from "./declared-headers.ts";
import { HttpTransport, disconnected } from "./http-transport.ts";
import { asksQuestion } from "./message-guard.ts";
import { ProcessTransport } from "./process-transport.ts";

const startWithinMs = 30_000;
/**
 * A program that does not answer the first request of the newest era within this time is used with an older one.
 * Milliseconds.
 */
const eraWithinMs = 10_000;
/** All pages of a list together. Milliseconds. */
const listWithinMs = 30_000;
/**
 * Tools are listed again after this time, because over HTTP in the newest era a server may be unable to report a
 * change. Milliseconds.
 */
const relistAfterMs = 60_000;
const maxTools = 1_000;
/** All pages of a list together. Characters. */
const maxListCharacters = 5 * 1_048_576;
const maxPages = 100;
/** Warnings about one connection. A server must not fill the disk with them. */
const maxWarnings = 20;

const anyResult = z.looseObject({});
/** Some servers write null or an empty text at the end of their list. */
const page = z.looseObject({ tools: z.array(z.unknown()), nextCursor: z.string().nullish() });

/**
 * Returns the function that connects to an upstream server.
 * @param settings.usable returns the definition of a listed tool. Undefined for a tool that cannot be used
 * @param settings.signIn returns the sign-in at a server over HTTP
 * @param settings.command this program as a person can type it
 */
export function upstreamConnector(settings: {
  version: string;
  usable: (tool: unknown) => ToolDefinition | undefined;
  signIn: (server: string, url: string) => UpstreamSignIn;
  log: Log;
  command: string;
}): ConnectUpstream {
  const { version, usable, signIn, log, command } = settings;
  /** Servers of an older protocol era, for which the newest one is not tried again. */
  const older = new WeakSet<ServerEntry>();
  return async (entry) => {
    const { name: server, target } = entry;
    const at = { server, command };
    const warn = limitedWarnings(log, server);
    const refused = (method: string): void =>
      warn("refused a request from an upstream server", { method });

    async function connected(mode: "auto" | "legacy") {
      const transport =
        target.kind === "http"
          ? new HttpTransport(target, signIn(server, target.url), refused)
          : new ProcessTransport(target, refused);
      const client = new Client(
        { name: "countersign", version },
        {
          capabilities: {},
          versionNegotiation: {
            mode,
            ...(target.kind === "process" && { probe: { timeoutMs: eraWithinMs } }),
          },
          // Off, because the SDK would answer questions by sending the call again.
          inputRequired: { autoFulfill: false },
        },
      );
      try {
        await start(client, transport, at);
      } catch (thrown) {
        older.delete(entry);
        // Some older servers exit, or answer with HTTP 500, at a first request that they do not know.
        if (mode === "auto" && transport.failedUnheard) return await connected("legacy");
        throw thrown;
      }
      return { client, transport };
    }

    const { client, transport } = await connected(older.has(entry) ? "legacy" : "auto");
    if (target.kind === "process" && client.getProtocolEra() === "legacy") older.add(entry);
    log.debug("connected to an upstream server", {
      server,
      protocol: client.getNegotiatedProtocolVersion(),
    });

    function explained(thrown: unknown, call: { acts: boolean; timeoutMs: number }): ToolError {
      if (thrown instanceof ToolError) return thrown;
      const fault = transport.faultOf(thrown);
      if (fault !== undefined) return failedRequest(at, fault, call);
      if (transport.reason !== undefined)
        return connectionLost(server, transport.reason, call, thrown);
      if (isTimeout(thrown)) return tooLate(server, call.timeoutMs, call);
      if (SdkHttpError.isInstance(thrown)) {
        const { status } = thrown;
        return failedRequest(at, statusFault({ status, headers: new Headers() }), call);
      }
      if (asksForInput(thrown)) {
        refused("input_required");
        return requestsInput(server, call);
      }
      if (ProtocolError.isInstance(thrown)) {
        const { code } = thrown;
        return refusedByServer(server, { code, acts: call.acts, cause: thrown });
      }
      return unreadable(server, call, thrown);
    }

    function finalResult(
      result: Readonly<Record<string, unknown>>,
      call: UpstreamCall,
    ): UpstreamResult {
      const found = readCallResult(result);
      if (found === undefined) throw unreadable(server, call);
      return found;
    }

    /** Calls a process. @throws ToolError, ProtocolError, SdkError */
    async function callDirectly(
      { direct }: ProcessTransport,
      { tool: name, arguments: args, signal, progress }: UpstreamCall,
    ): Promise<Readonly<Record<string, unknown>>> {
      const result = await direct.call({ name, arguments: args }, { signal, timeouts, progress });
      const isComplete = era !== "modern" || result["resultType"] === "complete";
      if (!isComplete) throw new SdkError(SdkErrorCode.InvalidResult, "no complete result");
      return result;
    }

    let listedAt = performance.now();
    const timeouts = createTimeoutQueue(entry.timeoutMs);
    const era = client.getProtocolEra();
    /** The schemas as they were listed, for the headers that the newest protocol derives from arguments. */
    const schemas = new Map<string, ToolDefinition["inputSchema"]>();

    async function list(signal?: AbortSignal): Promise<readonly ToolDefinition[]> {
      const found: ToolDefinition[] = [];
      const names = new Set<string>();
      let cursor: string | undefined;
      let characters = 0;
      let count = 0;
      const endsAt = performance.now() + listWithinMs;
      for (let pages = 0; pages < maxPages; pages += 1) {
        const params = cursor === undefined ? {} : { cursor };
        const timeout = Math.max(1, Math.round(endsAt - performance.now()));
        const options = { timeout, ...(signal && { signal }) };
        const got = page.parse(
          await client.request({ method: "tools/list", params }, page, options),
        );
        characters += JSON.stringify(got).length;
        count += got.tools.length;
        if (count > maxTools || characters > maxListCharacters)
          throw notStarted(at, `lists more than ${maxTools} tools or 5 MB`);
        for (const each of got.tools) {
          const tool = era !== "modern" || hasValidHeaders(each) ? usable(each) : undefined;
          if (tool === undefined || names.has(tool.name)) {
            const reason = tool === undefined ? "its definition is not accepted" : "listed twice";
            warn("a tool of an upstream server cannot be used", { tool: listedName(each), reason });
            continue;
          }
          names.add(tool.name);
          schemas.set(tool.name, tool.inputSchema);
          found.push(tool);
        }
        const next = got.nextCursor ?? "";
        if (next === "") return found;
        if (next === cursor) break;
        cursor = next;
      }
      throw notStarted(at, "lists its tools without an end");
    }

    return {
      list: async (signal) => {
        try {
          const tools = await list(signal);
          listedAt = performance.now();
          return tools;
        } catch (thrown) {
          // JSON-RPC 2.0 section 5.1: there is no such method.
          if (ProtocolError.isInstance(thrown) && thrown.code === -32_601)
            throw noTools(at, thrown);
          throw explained(thrown, { acts: false, timeoutMs: listWithinMs });
        }
      },
      call: async (call: UpstreamCall) => {
        try {
          if (transport instanceof ProcessTransport)
            return finalResult(await callDirectly(transport, call), call);
          const { progress: tell } = call;
          const options = {
            timeout: call.timeoutMs,
            signal: signalOf(call.signal),
            ...(tell && {
              onprogress: ({ progress, total }: Progress) => tell({ progress, total }),
            }),
          };
          const params = { name: call.tool, arguments: { ...call.arguments } };
          const inputSchema = schemas.get(call.tool);
          // Only the newest era has such headers. The SDK's own call function would read each result twice.
          if (era !== "modern" || inputSchema === undefined)
            return finalResult(
              await client.request({ method: "tools/call", params }, anyResult, options),
              call,
            );
          // The schema of the result is left out, because another thread checks the result.
          const toolDefinition = {
            name: call.tool,
            inputSchema: { ...inputSchema, type: "object" as const },
          };
          return finalResult(await client.callTool(params, { ...options, toolDefinition }), call);
        } catch (thrown) {
          // The call pipeline explains a call that it cancelled.
          throw call.signal.aborted ? thrown : explained(thrown, call);
        }
      },
      answers: async (withinMs) => {
        // The newest era has no ping.
        const method = era === "modern" ? "server/discover" : "ping";
        try {
          await client.request({ method }, z.unknown(), { timeout: withinMs });
          return true;
        } catch (thrown) {
          return ProtocolError.isInstance(thrown) || SdkHttpError.isInstance(thrown);
        }
      },
      takeListChanged: () => {
        const isSilent = target.kind === "http" || era === "modern";
        const isOld = isSilent && performance.now() - listedAt > relistAfterMs;
        const changed = transport.listChanged || isOld;
        transport.listChanged = false;
        return changed;
      },
      onListChanged: (changed) => void (transport.onlistchanged = changed),
      get isClosed() {
        return transport.reason !== undefined;
      },
      close: async () => {
        await transport.close();
        await client.close();
      },
    };
  };
}

/** Connects within the time for a start. @throws ToolError */
async function start(
  client: Client,
  transport: HttpTransport | ProcessTransport,
  at: UpstreamPlace,
): Promise<void> {
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

/** Returns the versions of a server with which the SDK has none in common. Empty for another error. */
function versionsIn(cause: unknown): readonly string[] {
  if (UnsupportedProtocolVersionError.isInstance(cause)) return cause.supported.map(String);
  // The SDK has no type for the response of an older server.
  const message = cause instanceof Error ? cause.message : "";
  return /^Server's protocol version is not supported: (.*)$/s.exec(message)?.slice(1) ?? [];
}

/**
 * Returns the function that logs warnings about one connection. Each warning is logged once, and the total is limited.
 */
function limitedWarnings(log: Log, server: string) {
  const logged = new Set<string>();
  return (message: string, fields: Readonly<Record<string, string>>): void => {
    const key = JSON.stringify([message, fields]);
    if (logged.size >= maxWarnings || logged.has(key)) return;
    logged.add(key);
    log.warn(message, { server, ...fields });
  };
}

/** Returns the name of a listed tool for the log. It is untrusted text. */
function listedName(tool: unknown): string {
  const name = typeof tool === "object" && tool !== null && "name" in tool ? tool.name : undefined;
  return typeof name === "string" ? shownName(name.slice(0, 128)) : "without a name";
}

/** Returns true for a result that asks a question (2026-07-28). The guard makes it an error for the older eras. */
function asksForInput(thrown: unknown): boolean {
  if (!SdkError.isInstance(thrown) && !ProtocolError.isInstance(thrown)) return false;
  return asksQuestion(thrown.data);
}

function isTimeout(thrown: unknown): boolean {
  return SdkError.isInstance(thrown) && thrown.code === SdkErrorCode.RequestTimeout;
}
