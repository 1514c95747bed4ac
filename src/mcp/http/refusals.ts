import type { ServerResponse } from "node:http";
import type { HttpLimits } from "./limits.ts";
import type { Refusal } from "./request-authorizer.ts";
import { rpcErrorBody } from "./rpc-error.ts";

/** The methods of requests to mounted handlers and to our own authorization server. */
export const mountedMethods = ["GET", "HEAD", "POST"];

export const otherMethod: Refusal = {
  status: 405,
  message: "Method not allowed.",
  headers: { allow: mountedMethods.join(", ") },
};

export const onlyRead: Refusal = { ...otherMethod, headers: { allow: "GET, HEAD" } };

export const needlessBody: Refusal = { status: 400, message: "Only a POST may have a body." };

export const stoppingNow: Refusal = {
  status: 503,
  message: "The server is stopping. Nothing was done.",
  headers: { "retry-after": "5", connection: "close" },
};

export const notFound: Refusal = { status: 404, message: "Not found." };

export const failed: Refusal = { status: 500, message: "The server failed." };

/** Returns the refusal of a caller's request at the limit of simultaneous ones. */
export function tooMany({ requestsPerCaller }: HttpLimits): Refusal {
  return {
    status: 429,
    message: `This caller has ${requestsPerCaller} requests under way. This one was not read and nothing was done. Send it again when one of them is answered.`,
    headers: { "retry-after": "5" },
  };
}

/** Sends a refusal as a JSON-RPC error. */
export function refuse(response: ServerResponse, { status, message, headers }: Refusal): void {
  response.writeHead(status, { "content-type": "application/json", ...headers });
  response.end(rpcErrorBody(message));
}
