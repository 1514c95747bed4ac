import {
  type Progress,
  ProtocolError,
  SdkError,
  SdkErrorCode,
  SdkHttpError,
} from "@modelcontextprotocol/client";
import { z } from "zod";
import { createTimeoutQueue } from "../../core/call/timeout-queue.ts";
import { signalOf } from "../../core/shared/lazy-signal.ts";
import type { Log } from "../../core/shared/log.ts";
import { ToolError } from "../../core/tool/tool-error.ts";
import { readCallResult } from "./call-result.ts";
import type {
  ConnectUpstream,
  ToolDefinition,
  UpstreamResult,
  UpstreamCall,
  UpstreamSignIn,
} from "../../ports/upstream/upstream-server.ts";
import {
  requestsInput,
  failedRequest,
  connectionLost,
  noTools,
  refusedList,
  refusedByServer,
  statusFault,
  tooLate,
  unreadable,
} from "./errors.ts";
import { listTools, listWithinMs } from "./list-tools.ts";
import { clientStarter, isTimeout } from "./start-client.ts";
import { hasValidHeaders } from "./declared-headers.ts";
import { HttpTransport } from "./http-transport.ts";
import { asksQuestion } from "./message-guard.ts";
import { ProcessTransport } from "./process-transport.ts";

/**
 * Tools are listed again after this time, because over HTTP in the newest era a server may be unable to report a
 * change. Milliseconds.
 */
const relistAfterMs = 60_000;
/** Warnings about one connection. A server must not fill the disk with them. */
const maxWarnings = 20;

const anyResult = z.looseObject({});

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
  const started = clientStarter({ version, command });
  return async (entry) => {
    const { name: server, target } = entry;
    const at = { server, command };
    const warn = limitedWarnings(log, server);
    const refused = (method: string): void =>
      warn("refused a request from an upstream server", { method });

    const { client, transport } = await started(entry, () =>
      target.kind === "http"
        ? new HttpTransport(target, signIn(server, target.url), refused)
        : new ProcessTransport(target, refused),
    );
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
    let leftOut: readonly string[] = [];
    const timeouts = createTimeoutQueue(entry.timeoutMs);
    const era = client.getProtocolEra();
    /** The schemas as they were listed, for the headers that the newest protocol derives from arguments. */
    const schemas = new Map<string, ToolDefinition["inputSchema"]>();

    return {
      list: async (signal) => {
        try {
          const usableTool = (tool: unknown): ToolDefinition | undefined =>
            era !== "modern" || hasValidHeaders(tool) ? usable(tool) : undefined;
          const listed = await listTools(client, { at, usable: usableTool, warn, signal });
          const { tools } = listed;
          leftOut = listed.leftOut;
          listedAt = performance.now();
          for (const tool of tools) schemas.set(tool.name, tool.inputSchema);
          return tools;
        } catch (thrown) {
          // JSON-RPC 2.0 section 5.1: there is no such method.
          if (ProtocolError.isInstance(thrown) && thrown.code === -32_601)
            throw noTools(at, thrown);
          if (ProtocolError.isInstance(thrown)) throw refusedList(at, thrown);
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
      get leftOut() {
        return leftOut;
      },
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

/** Returns true for a result that asks a question (2026-07-28). The guard makes it an error for the older eras. */
function asksForInput(thrown: unknown): boolean {
  if (!SdkError.isInstance(thrown) && !ProtocolError.isInstance(thrown)) return false;
  return asksQuestion(thrown.data);
}
