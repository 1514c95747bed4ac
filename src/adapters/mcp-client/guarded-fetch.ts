import { type LookupAddress, type LookupAllOptions, lookup } from "node:dns";
import { Agent, type IncomingMessage, request as requestHttp } from "node:http";
import { Agent as TlsAgent, request as requestHttps } from "node:https";
import type { LookupFunction, Socket } from "node:net";
import { Readable, type Transform, pipeline } from "node:stream";
import { createBrotliDecompress, createGunzip, createInflate } from "node:zlib";
import { isAddress, isPrivateAddress } from "../../core/network-limits/network.ts";
import { boundedBody, tooLongMessage } from "./bounded-body.ts";
import { RequestFault, closed } from "./errors.ts";
import { maxMessageBytes } from "./message-guard.ts";
import { parseMessage } from "./message-text.ts";
import { notConnected } from "./unreachable.ts";

/** An idle connection is closed after this time, before most servers close it. Milliseconds. */
const idleForMs = 4_000;
const maxSockets = 64;
const maxRedirects = 3;
/** The longest document of OAuth. The longest that are known have some 10 kB. Bytes. */
const maxDocumentBytes = 1_000_000;

export type Fetch = (url: string | URL, init?: RequestInit) => Promise<Response>;

/** Receives each request whose response has a part that cannot be used, and the reason. */
type Invalid = (init: RequestInit, reason: string) => void;

/** `dns.lookup` for all addresses of a name. */
type Resolve = (
  hostname: string,
  options: LookupAllOptions,
  callback: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void;

export interface GuardedFetch {
  fetch: Fetch;
  close(): void;
}

/**
 * Creates a `fetch` that contacts private addresses only if the configured host is private, and follows redirects only
 * on the same host. The address is checked when the connection opens, because a name may change its address at any
 * time. A failed request is not repeated.
 */
export function createGuardedFetch(
  configured: string,
  resolve: Resolve = lookup,
  invalid: Invalid = () => undefined,
  maxBytes = maxMessageBytes,
): GuardedFetch {
  const own = new URL(configured);
  const settings = { keepAlive: true, timeout: idleForMs, maxSockets };
  const agents = { plain: new Agent(settings), tls: new TlsAgent(settings) };
  /** The targets of earlier redirects. Later calls go there directly, because a call itself is never redirected. */
  const moved = new Map<string, URL>();
  const isOwnPrivate = isPrivateHost(own.hostname);
  const mayBePrivate = ({ hostname }: URL): boolean => isOwnPrivate && hostname === own.hostname;

  function exchange(url: URL, init: RequestInit): Promise<Response> {
    if (url.protocol !== "https:" && url.protocol !== "http:")
      return Promise.reject(new RequestFault("names an address that is not HTTP"));
    const allowed = mayBePrivate(url);
    if (!allowed && isAddress(url.hostname) && isPrivateAddress(url.hostname))
      return Promise.reject(privateAddress());
    const isTls = url.protocol === "https:";
    return new Promise((answered, reject) => {
      let wasSent = false;
      const outgoing = (isTls ? requestHttps : requestHttp)(url, {
        method: init.method ?? "GET",
        headers: {
          "accept-encoding": "identity",
          ...Object.fromEntries(
            init.headers instanceof Headers ? init.headers : new Headers(init.headers),
          ),
        },
        agent: isTls ? agents.tls : agents.plain,
        lookup: checkedLookup(allowed, resolve),
        ...(init.signal && { signal: init.signal }),
      });
      outgoing.once("socket", (socket: Socket) => {
        if (!socket.connecting) wasSent = true;
        else socket.once(isTls ? "secureConnect" : "connect", () => (wasSent = true));
      });
      function failed(cause?: unknown): void {
        if (init.signal?.aborted === true || cause instanceof RequestFault) return reject(cause);
        reject(wasSent ? new RequestFault(closed, { wasSent, cause }) : notConnected(cause));
      }
      // A request can fail more than once: a later error without a listener would end this process.
      outgoing.on("error", failed);
      // If a server switches to another protocol, the request closes without either event.
      let isAnswered = false;
      outgoing.once("close", () => {
        if (!isAnswered) failed(init.signal?.reason);
      });
      outgoing.once("response", (incoming) => {
        isAnswered = true;
        const signal = init.signal ?? undefined;
        toResponse(incoming, { signal, invalid: (reason) => invalid(init, reason), maxBytes }).then(
          answered,
          reject,
        );
      });
      outgoing.end(bodyOf(init));
    });
  }

  return {
    fetch: async (address, init = {}) => {
      const asked = new URL(address);
      let url = moved.get(asked.href) ?? asked;
      for (let hops = 0; hops <= maxRedirects; hops += 1) {
        const response = await exchange(url, init);
        const location = response.headers.get("location");
        if (![301, 302, 303, 307, 308].includes(response.status) || location === null)
          return response;
        await response.body?.cancel();
        url = redirected(url, location, { status: response.status, init });
        if (init.method === "POST") moved.set(asked.href, url);
      }
      throw new RequestFault("redirects without an end", { wasSent: true });
    },
    close: () => {
      agents.plain.destroy();
      agents.tls.destroy();
    },
  };
}

/** Creates the same for the documents and tokens of OAuth, which are short. */
export function createDocumentFetch(configured: string): GuardedFetch {
  return createGuardedFetch(configured, undefined, undefined, maxDocumentBytes);
}

/** Returns the target of a redirect. A call is not sent again, and no other host gets a request. */
function redirected(
  from: URL,
  location: string,
  { status, init }: { status: number; init: RequestInit },
): URL {
  if (!URL.canParse(location, from.href))
    throw new RequestFault("redirects to an address that is not HTTP", { wasSent: true });
  const to = new URL(location, from);
  if (to.host !== from.host)
    throw new RequestFault("redirects to another host, which gets no request", { wasSent: true });
  if (to.protocol !== from.protocol && to.protocol !== "https:")
    throw new RequestFault("redirects to an address without TLS, which gets no request", {
      wasSent: true,
    });
  const isPost = init.method === "POST";
  if (isPost && status !== 307 && status !== 308)
    throw new RequestFault("redirects a request in a way that drops its content", {
      wasSent: true,
    });
  if (isCall(init))
    throw new RequestFault("redirects a call, which is not sent again", { wasSent: true });
  return to;
}

/**
 * Returns true for the request of a tool call. Quotation marks in arguments are escaped, so an argument cannot match.
 */
export function isCall({ body }: RequestInit): boolean {
  return typeof body === "string" && body.includes('"method":"tools/call"');
}

function bodyOf({ body }: RequestInit): string | undefined {
  if (body === undefined || body === null) return undefined;
  if (typeof body === "string") return body;
  if (body instanceof URLSearchParams) return body.toString();
  throw new TypeError("a request has a body of text");
}

/** Names that only a local network resolves. */
const localNames = /^(?:localhost|[^.]+|.+\.(?:localhost|local|lan|internal|home\.arpa))$/i;

/** Returns whether the host name in a configured URL is recognisably private. */
export function isPrivateHost(hostname: string): boolean {
  return isAddress(hostname) ? isPrivateAddress(hostname) : localNames.test(hostname);
}

function privateAddress(): RequestFault {
  return new RequestFault("leads to a private address, which is not the configured host");
}

/** Returns the lookup function for a connection. It fails if the name has a private address that is not allowed. */
function checkedLookup(allowed: boolean, resolve: Resolve): LookupFunction {
  return (hostname, options, callback) => {
    resolve(hostname, { ...options, all: true }, (error, addresses) => {
      if (error !== null) return callback(error, "");
      const [first] = addresses;
      if (!allowed && addresses.some(({ address }) => isPrivateAddress(address)))
        return callback(privateAddress(), "");
      if (options.all === true) return callback(null, addresses);
      callback(null, first?.address ?? "", first?.family);
    });
  };
}

async function toResponse(
  incoming: IncomingMessage,
  by: { signal: AbortSignal | undefined; invalid: (reason: string) => void; maxBytes: number },
): Promise<Response> {
  const { statusCode = 502, rawHeaders } = incoming;
  const headers = new Headers();
  for (let at = 0; at + 1 < rawHeaders.length; at += 2)
    headers.append(rawHeaders[at] ?? "", rawHeaders[at + 1] ?? "");
  const status = statusCode < 200 || statusCode > 599 ? 502 : statusCode;
  if ([204, 205, 304].includes(status)) {
    incoming.on("error", () => undefined).resume();
    return new Response(null, { status, headers });
  }
  const type = headers.get("content-type") ?? "";
  const content = decoded(incoming, headers.get("content-encoding"));
  if (type.startsWith("application/json"))
    return new ReadResponse(await wholeText(content, by), { status, headers });
  const isStream = type.startsWith("text/event-stream");
  // Node's types of web streams differ from those of `fetch`.
  const body = Readable.toWeb(content) as ReadableStream<Uint8Array>;
  return new Response(body.pipeThrough(boundedBody(isStream, by)), { status, headers });
}

/** Decodes content that a server compressed although it was not asked to. The limits count what is decoded. */
function decoded(incoming: IncomingMessage, coding: string | null): Readable {
  const decoders: Readonly<Record<string, () => Transform>> = {
    gzip: createGunzip,
    "x-gzip": createGunzip,
    deflate: createInflate,
    br: createBrotliDecompress,
  };
  const name = coding?.trim().toLowerCase() ?? "";
  const create = Object.hasOwn(decoders, name) ? decoders[name] : undefined;
  // The reader of the decoded content gets the error of either stream.
  return create === undefined ? incoming : pipeline(incoming, create(), () => undefined);
}

/** A response whose text has been read. Web streams would take more time than the rest of a call. */
class ReadResponse extends Response {
  override readonly text: () => Promise<string>;
  override readonly json: () => Promise<unknown>;

  constructor(text: string, init: ResponseInit) {
    super(null, init);
    this.text = () => Promise.resolve(text);
    this.json = async () => parseMessage(text);
  }
}

const utf8 = new TextDecoder();

/** Reads a body that is one message. @throws RequestFault if it is too long or incomplete */
function wholeText(
  incoming: Readable,
  { signal, maxBytes }: { signal: AbortSignal | undefined; maxBytes: number },
): Promise<string> {
  return new Promise((resolve, reject) => {
    const parts: Buffer[] = [];
    let bytes = 0;
    incoming.on("data", (part: Buffer) => {
      bytes += part.length;
      parts.push(part);
      if (bytes <= maxBytes) return;
      incoming.destroy();
      reject(tooLongMessage(maxBytes));
    });
    incoming.once("end", () => resolve(utf8.decode(Buffer.concat(parts))));
    incoming.on("error", (cause) =>
      reject(signal?.aborted === true ? cause : new RequestFault(closed, { wasSent: true, cause })),
    );
  });
}
