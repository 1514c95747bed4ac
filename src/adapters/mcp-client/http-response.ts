import type { RequestId } from "@modelcontextprotocol/client";
import { type Data, isData } from "../../core/shared/data.ts";
import { RequestFault, statusFault } from "./errors.ts";

/** Returns the id of a request. Undefined for the request of a stream that continues another one. */
export function idOf({ body }: RequestInit): RequestId | undefined {
  const message: unknown = typeof body === "string" ? JSON.parse(body) : undefined;
  const id = isData(message) ? message["id"] : undefined;
  return typeof id === "string" || typeof id === "number" ? id : undefined;
}

/** Returns the JSON-RPC error with which a server refused a request for tools. Some send it with the HTTP status 400. */
export async function refusalIn(response: Response, init: RequestInit): Promise<Data | undefined> {
  if (!isOfTools(init) || response.headers.get("content-type")?.includes("json") !== true)
    return undefined;
  const refusal: unknown = await response.json().catch(() => undefined);
  return isData(refusal) && isData(refusal["error"]) && refusal["id"] === idOf(init)
    ? refusal
    : undefined;
}

/**
 * Returns whether an error has a code that each server defines (JSON-RPC 2.0 section 5.1). Some use it for an unknown
 * session.
 */
export function isOfServer({ error }: Data): boolean {
  const code = isData(error) ? error["code"] : undefined;
  return typeof code === "number" && code >= -32_099 && code <= -32_000;
}

function isOfTools({ body }: RequestInit): boolean {
  return typeof body === "string" && body.includes('"method":"tools/');
}

/** Returns whether a message is a request, which needs a response. Quotation marks in its arguments are escaped. */
function isRequest({ body }: RequestInit): boolean {
  return typeof body === "string" && body.includes('"method":') && body.includes('"id":');
}

/**
 * Returns the fault of a response that ends its request immediately. The SDK reads other failures, because they tell it
 * the protocol era.
 */
export async function responseFault(
  response: Response,
  init: RequestInit,
): Promise<RequestFault | undefined> {
  const { status, headers } = response;
  if (isOfTools(init) && (status === 429 || status >= 500)) return statusFault(response);
  if (!response.ok || !isRequest(init)) return undefined;
  const isJson = headers.get("content-type")?.startsWith("application/json") === true;
  const isEmpty = status === 202 || (isJson && holdsNoResponse(await response.text()));
  return isEmpty ? new RequestFault("gave no response", { wasSent: true }) : undefined;
}

/** Returns whether JSON has messages, but no response. The SDK would wait for one until the timeout. */
function holdsNoResponse(text: string): boolean {
  return /^\s*\[|"method"/.test(text) && !/"(?:result|error)"/.test(text);
}
