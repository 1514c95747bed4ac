import { z } from "zod";

export const rpcMessage = z.looseObject({
  jsonrpc: z.literal("2.0"),
  id: z.union([z.number(), z.string()]).optional(),
  method: z.string().optional(),
  params: z.record(z.string(), z.unknown()).optional(),
  result: z.record(z.string(), z.unknown()).optional(),
  error: z.looseObject({ code: z.number(), message: z.string() }).optional(),
});
export type RpcMessage = z.output<typeof rpcMessage>;

/** The server without a client library in between: tests can read every byte and send anything. */
export interface RawServer {
  /** All that came on stdout, message by message. */
  messages: readonly RpcMessage[];
  /** All that came, stdout and stderr, as it came. */
  said: { stdout: string; stderr: string };
  notify(method: string, params?: object): void;
  /** Answers a request that the server made. */
  reply(id: number | string, result: object): void;
  /** Resolves with the whole reply, be it a result or an error. Rejects when the server ends without one. */
  request(method: string, params?: object): Promise<RpcMessage>;
  /** The client hangs up. */
  hangUp(): void;
  ended: Promise<{ code: number | null; signal: NodeJS.Signals | null }>;
}
