import { setTimeout as sleep } from "node:timers/promises";
import { retryAfterSeconds } from "../../core/shared/retry-after.ts";
import type { ToolError } from "../../core/tool/tool-error.ts";
import {
  foreignHost,
  networkError,
  statusError,
  responseTooLarge,
  unreadableResponse,
} from "./errors.ts";
import { hostRule } from "./allowed-hosts.ts";
import type { CaldavSettings } from "./settings.ts";

/** The largest response, to bound the memory. A month of a full calendar is under one MiB. */
const maxResponseBytes = 8 * 1_048_576;
const maxRedirects = 5;
/** Longest `Retry-After` that is waited for. The caller decides about longer waits. Seconds. */
const longestWait = 5;

export interface SendRequest {
  method: string;
  url: string;
  headers?: Readonly<Record<string, string>>;
  body?: string | undefined;
  signal: AbortSignal;
}

export interface DavResponse {
  status: number;
  headers: Headers;
  text: string;
  /** The URL after redirects, against which relative links are resolved. */
  url: string;
}

export interface Http {
  /**
   * Sends a request and follows redirects within the allowed hosts. Resolves with any response but 401, 429 and 503,
   * which throw.
   */
  send(request: SendRequest): Promise<DavResponse>;
  /** Returns the error for an unsuccessful response. */
  failure(reply: DavResponse, method: string): ToolError;
}

/** Returns the Authorization header. `isRepeat`: the server refused the header before. */
export type Authorize = (signal: AbortSignal, isRepeat: boolean) => Promise<string>;

/** Reads may be retried. A request that changes something is sent only once. */
const reads = new Set(["GET", "PROPFIND", "REPORT"]);

export function createHttp(settings: CaldavSettings, authorize: Authorize): Http {
  const isAllowed = hostRule(settings.url, settings.allowedHosts);
  const wait = settings.wait ?? ((ms, signal) => sleep(ms, undefined, { signal }));

  async function once(request: SendRequest, isRepeat: boolean): Promise<DavResponse> {
    const acts = !reads.has(request.method);
    let { url } = request;
    for (let hops = 0; hops <= maxRedirects; hops += 1) {
      if (!isAllowed(url)) throw foreignHost(url);
      const authorization = await authorize(request.signal, isRepeat);
      const reply = await exchange(url, request, authorization, acts);
      const location = reply.headers.get("location");
      if (![301, 302, 303, 307, 308].includes(reply.status) || location === null) return reply;
      if (!URL.canParse(location, url)) throw foreignHost(location);
      url = new URL(location, url).href;
    }
    throw unreadableResponse("too many redirects", { acts: false });
  }

  async function send(request: SendRequest): Promise<DavResponse> {
    const acts = !reads.has(request.method);
    for (let tries = 1; ; tries += 1) {
      let reply: DavResponse;
      try {
        reply = await once(request, tries > 1);
      } catch (thrown) {
        // A request fails like this if the server closed a kept-alive connection. A second failure is an outage.
        if (acts || tries > 1 || request.signal.aborted || !isUnavailable(thrown)) throw thrown;
        continue;
      }
      const failure = (): ToolError =>
        statusError(reply.status, reply.headers, { acts }, settings.auth.kind);
      // A request with 401 was not processed. With OAuth it is repeated with a new token, even for a write.
      if (reply.status === 401 && tries === 1 && settings.auth.kind === "oauth") continue;
      if (reply.status === 401) throw failure();
      if (reply.status === 503 || reply.status === 429) {
        const seconds = retryAfterSeconds(reply.headers.get("retry-after")) ?? 1;
        if (acts || tries > 1 || seconds > longestWait) throw failure();
        await wait(seconds * 1000, request.signal).catch(() => {
          throw failure();
        });
        continue;
      }
      if (!acts && tries === 1 && (reply.status === 502 || reply.status === 504)) continue;
      return reply;
    }
  }

  return {
    send,
    failure: ({ status, headers }, method) =>
      statusError(status, headers, { acts: !reads.has(method) }, settings.auth.kind),
  };
}

/** Sends one request and reads the whole response. */
export async function exchange(
  url: string,
  { method, headers, body, signal }: Omit<SendRequest, "url">,
  authorization: string | undefined,
  acts: boolean,
): Promise<DavResponse> {
  try {
    const response = await fetch(url, {
      method,
      signal,
      redirect: "manual",
      headers: { ...headers, ...(authorization !== undefined && { authorization }) },
      ...(body !== undefined && { body }),
    });
    const text = await readBounded(response, acts);
    return { status: response.status, headers: response.headers, text, url };
  } catch (thrown) {
    if (thrown instanceof Error && thrown.name === "ToolError") throw thrown;
    throw networkError(thrown, { acts }, signal.aborted);
  }
}

async function readBounded(response: Response, acts: boolean): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  const body: AsyncIterable<Uint8Array> | Uint8Array[] = response.body ?? [];
  for await (const chunk of body) {
    bytes += chunk.length;
    // Leaving the loop closes the connection.
    if (bytes > maxResponseBytes)
      throw responseTooLarge(`larger than ${maxResponseBytes / 1_048_576} MiB`, { acts });
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}

function isUnavailable(thrown: unknown): boolean {
  return (
    thrown instanceof Error &&
    "kind" in thrown &&
    thrown.kind === "unavailable" &&
    /reached/.test(thrown.message)
  );
}
