import type { Cancellation } from "../../core/shared/lazy-signal.ts";
import {
  type JSONRPCMessage,
  ProtocolError,
  type RequestId,
  SdkError,
  SdkErrorCode,
} from "@modelcontextprotocol/client";
import type { TimeoutQueue } from "../../core/call/timeout-queue.ts";
import type { TellProgress } from "../../core/tool/tool.ts";
import type { Data } from "../../core/shared/data.ts";

/** The first id of a direct request. The SDK counts its own from zero. */
export const firstDirectId = 1_000_000_000;

/**
 * Tool calls to a process that the SDK does not see. Its request function validates each message several times and sets
 * a timer for each, which takes longer than the rest of a call. The message guard checks the responses.
 */
export interface DirectRequests {
  /**
   * Sends one call and returns the result.
   * @throws ProtocolError if the server answers with an error, SdkError after the timeout
   */
  call(
    params: { name: string; arguments: Data },
    options: { signal: Cancellation; timeouts: TimeoutQueue; progress?: TellProgress | undefined },
  ): Promise<Data>;
  /** Takes the messages for direct requests. Returns false for every other message. */
  take(message: JSONRPCMessage): boolean;
  /** Rejects the open requests after the connection ended. */
  close(): void;
}

interface OpenRequest {
  resolve: (result: Data) => void;
  reject: (error: unknown) => void;
  progress: TellProgress | undefined;
}

/**
 * Creates the direct requests of a connection.
 * @param settings.envelope returns the `_meta` that every request of the newest era has. Undefined in older eras
 */
export function createDirectRequests(settings: {
  send: (message: JSONRPCMessage) => Promise<void>;
  envelope: () => Data | undefined;
}): DirectRequests {
  const { send, envelope } = settings;
  const open = new Map<RequestId, OpenRequest>();
  let lastId = firstDirectId - 1;

  function cancel(requestId: number, reason: unknown): void {
    const _meta = envelope();
    const params = { requestId, reason: String(reason), ...(_meta && { _meta: { ..._meta } }) };
    // A server that has ended needs no cancellation.
    send({ jsonrpc: "2.0", method: "notifications/cancelled", params }).catch(() => undefined);
  }

  return {
    call: ({ name, arguments: args }, { signal, timeouts, progress }) =>
      new Promise((resolve, reject) => {
        if (signal.aborted) throw signal.reason;
        const id = (lastId += 1);
        function end(): void {
          open.delete(id);
          stopTimeout();
          signal.removeEventListener("abort", aborted);
        }
        function failed(error: unknown): void {
          end();
          reject(error);
        }
        function given(error: unknown): void {
          failed(error);
          cancel(id, error);
        }
        const aborted = (): void => given(signal.reason);
        const stopTimeout = timeouts.set(() =>
          given(new SdkError(SdkErrorCode.RequestTimeout, "Request timed out")),
        );
        signal.addEventListener("abort", aborted);
        open.set(id, {
          resolve: (result) => {
            end();
            resolve(result);
          },
          reject: failed,
          progress,
        });
        const common = envelope();
        const _meta = progress === undefined ? common : { ...common, progressToken: id };
        const params = { name, arguments: args, ...(_meta && { _meta }) };
        send({ jsonrpc: "2.0", id, method: "tools/call", params }).catch(failed);
      }),

    take: (message) => {
      if ("method" in message) {
        if (message.method !== "notifications/progress") return false;
        const { progressToken: token, progress, total } = message.params ?? {};
        if (typeof token !== "number" || token < firstDirectId) return false;
        if (typeof progress === "number")
          open.get(token)?.progress?.({
            progress,
            ...(typeof total === "number" && { total }),
          });
        return true;
      }
      const { id } = message;
      if (typeof id !== "number" || id < firstDirectId) return false;
      const request = open.get(id);
      if ("error" in message) {
        const { code, message: text, data } = message.error;
        request?.reject(new ProtocolError(code, text, data));
      } else request?.resolve(message.result);
      return true;
    },

    close: () => {
      for (const { reject } of open.values()) reject(new Error("the connection ended"));
    },
  };
}
