import { createHash, timingSafeEqual } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { createConnectionShares } from "../core/network-limits/connection-shares.ts";
import {
  type ArrivalLimit,
  type ArrivalLimits,
  arrivalLimits,
  createArrivalLimit,
} from "../core/network-limits/arrival-limit.ts";
import { type GuessLimit, createGuessLimit } from "../core/network-limits/guess-limit.ts";
import type { Log } from "../core/shared/log.ts";
import type { Secret } from "../core/shared/secret.ts";
import { networksOf } from "../core/network-limits/network.ts";
import { createShares } from "../core/network-limits/shares.ts";
import { addressOf, isProxy } from "../core/network-limits/sender-address.ts";
import { InsufficientStorage } from "../ports/mail/insufficient-storage.ts";
import type { Receipt } from "../ports/mail/mail-store.ts";
import { httpLimits } from "./limits.ts";
import { createMessageBuffer } from "./message-buffer.ts";

export interface HttpIntakeSettings {
  host: string;
  /** 0 uses a free port. */
  port: number;
  token: Secret;
  /** True if a trusted proxy is in front of this server and names the client in `X-Forwarded-For`. */
  behindProxy: boolean;
  maxBytes: number;
  /** Resolves when the message is stored durably. Only then is it acknowledged. */
  keep: (
    message: Uint8Array,
    arrival: Omit<Receipt, "rawSha256" | "bytes">,
  ) => Promise<{ emailId: string; isNew: boolean; isQuarantined: boolean }>;
  log: Log;
  /** For tests: see `limits`. Milliseconds. */
  busyMs?: number;
  /** For tests, which need only a few messages to reach the limit. */
  arrivals?: ArrivalLimits;
}

export interface HttpIntake {
  port: number;
  /** Accepts no new messages, completes running ones and closes other connections. */
  close(): Promise<void>;
}

/** The name of every client with the token, because all share it. */
const sender = "sender";

interface Answer {
  status: number;
  body: Readonly<Record<string, unknown>>;
  headers?: Readonly<Record<string, string>>;
}

/**
 * Opens `POST /ingest`: one raw message per request, with the token. The response is 202 after the message is stored
 * and 429, 503 or 507 if the client should retry. `X-Envelope-From` and `X-Envelope-To` may carry the SMTP envelope.
 * @throws Node's own error if the port cannot be opened
 */
export async function openHttpIntake(settings: HttpIntakeSettings): Promise<HttpIntake> {
  const { host, port, log, behindProxy } = settings;
  const guesses = createGuessLimit(() => performance.now());
  const arrivals = createArrivalLimit(() => performance.now(), settings.arrivals);
  const sockets = createConnectionShares(httpLimits, (address) => isProxy(address, behindProxy));
  const refusals = new WeakMap<IncomingMessage, { refusal: Answer | undefined }>();
  const slots = createShares({ total: httpLimits.messages, each: [httpLimits.messages] });

  /** Checks a request. A request that expects `100 Continue` is checked twice and counted once. */
  function refusalFor(request: IncomingMessage): Answer | undefined {
    const known = refusals.get(request);
    if (known !== undefined) return known.refusal;
    const refusal = refusalOf(request, settings, guesses);
    refusals.set(request, { refusal });
    return refusal;
  }

  async function answerTo(request: IncomingMessage): Promise<Answer> {
    const refusal = refusalFor(request);
    if (refusal !== undefined) return refusal;
    sockets.proved(request.socket, sender);
    const since = performance.now();
    const release = slots.take({
      keys: [networksOf(addressOf(request, behindProxy)).narrow],
      end: () => request.destroy(),
      isBusy: () => performance.now() - since < (settings.busyMs ?? httpLimits.busyMs),
    });
    if (release === undefined) return putOff("Too many messages at once.");
    try {
      return await take(request, settings, arrivals);
    } catch (cause) {
      if (cause instanceof InsufficientStorage) {
        log.error(`${cause.message} ${cause.hint ?? ""}`);
        return insufficientStorage(cause);
      }
      log.error("storing a message failed; the sender was asked to retry", { cause });
      return putOff("The message could not be stored.");
    } finally {
      release();
    }
  }

  const server = createServer(
    {
      maxHeaderSize: httpLimits.headerBytes,
      headersTimeout: httpLimits.headersMs,
      requestTimeout: httpLimits.requestMs,
      connectionsCheckingInterval: httpLimits.connectionsCheckedEveryMs,
    },
    (request, response) => {
      response.once("close", sockets.began(request.socket));
      request.on("error", (cause) => log.debug("an HTTP request was interrupted", { cause }));
      void answerTo(request).then((answer) => send(request, response, answer));
    },
  );
  // Node silently drops headers beyond a number, possibly those of the proxy. `headerBytes` limits them instead.
  server.maxHeadersCount = 0;
  server.maxConnections = httpLimits.connections;
  server.on("connection", (socket) => sockets.opened(socket));
  // A refusal answers `Expect: 100-continue`, so that a client does not send 25 MB only to receive 401.
  server.on("checkContinue", (request: IncomingMessage, response: ServerResponse) => {
    if (refusalFor(request) === undefined) response.writeContinue();
    server.emit("request", request, response);
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, () => {
      server.off("error", reject);
      resolve();
    });
  });
  const address = server.address();
  return {
    port: typeof address === "object" && address !== null ? address.port : port,
    close: () =>
      new Promise((resolve) => {
        const limit = setTimeout(() => server.closeAllConnections(), httpLimits.closeMs);
        server.close(() => {
          clearTimeout(limit);
          resolve();
        });
        server.closeIdleConnections();
      }),
  };
}

/** Returns the refusal that can be decided before the body is read. */
function refusalOf(
  request: IncomingMessage,
  settings: HttpIntakeSettings,
  guesses: GuessLimit,
): Answer | undefined {
  const { url = "", method, headers } = request;
  if (url.split("?", 1)[0] !== "/ingest") return refused(404, "Not found. Use POST /ingest.");
  if (method !== "POST") return { ...refused(405, "Use POST."), headers: { allow: "POST" } };
  // Delivery programs send no Origin header. A page in a browser always sends one.
  if (headers.origin !== undefined)
    return refused(403, "Requests from web pages are not accepted.");
  const address = addressOf(request, settings.behindProxy);
  const isRight = isToken(headers.authorization, settings.token);
  const isKnown = isRight && guesses.hasSucceeded(address, sender);
  const wait = isKnown ? undefined : guesses.waitSeconds({ address }, "ingest");
  if (wait !== undefined) return tooManyGuesses(wait);
  if (!isRight) {
    if (headers.authorization !== undefined) guesses.failed({ address }, "ingest");
    return {
      ...refused(401, "The token is missing or wrong."),
      headers: { "www-authenticate": "Bearer" },
    };
  }
  guesses.succeeded(address, sender);
  const type = headers["content-type"]?.split(";", 1)[0]?.trim().toLowerCase();
  if (type !== "message/rfc822") return refused(415, "Send the raw message as message/rfc822.");
  if (Number(headers["content-length"] ?? 0) > settings.maxBytes) return tooLarge(settings);
  return undefined;
}

async function take(
  request: IncomingMessage,
  { maxBytes, keep }: Pick<HttpIntakeSettings, "maxBytes" | "keep">,
  arrivals: ArrivalLimit,
): Promise<Answer> {
  const buffer = createMessageBuffer(maxBytes);
  for await (const chunk of request as AsyncIterable<Uint8Array>) {
    buffer.add(chunk);
    if (buffer.bytes > maxBytes) break;
  }
  const message = buffer.whole();
  if (message === undefined) return tooLarge({ maxBytes });
  if (message.length === 0) return refused(400, "The message is empty.");
  const envelopeFrom = headerOf(request, "x-envelope-from");
  const envelopeTo = headerOf(request, "x-envelope-to");
  const bytes = message.length;
  const wait = arrivals.waitSeconds(sender, bytes);
  if (wait !== undefined) return tooMuchMail(wait);
  const arrival = {
    intake: "http",
    ...(envelopeFrom !== undefined && { envelopeFrom: withoutBrackets(envelopeFrom) }),
    ...(envelopeTo !== undefined && { envelopeTo: envelopeTo.split(",").map(withoutBrackets) }),
    ...(request.socket.remoteAddress !== undefined && { peer: request.socket.remoteAddress }),
  } as const;
  const kept = keep(message, arrival);
  // Only stored messages use up the share, so an outage costs the sender nothing.
  kept.catch(() => arrivals.release(sender, bytes));
  const { emailId, isNew, isQuarantined } = await kept;
  const status = isNew ? (isQuarantined ? "quarantined" : "stored") : "duplicate";
  return { status: 202, body: { emailId, status } };
}

function headerOf({ headers }: IncomingMessage, name: string): string | undefined {
  const value = headers[name];
  return typeof value === "string" && value !== "" ? value : undefined;
}

function withoutBrackets(address: string): string {
  return address.trim().replace(/^<|>$/g, "");
}

/** Compares hashes, so that the comparison takes equally long for every guess. */
function isToken(authorization: string | undefined, token: Secret): boolean {
  const given = /^Bearer +(\S+) *$/i.exec(authorization ?? "")?.[1] ?? "";
  const hash = (text: string): Buffer => createHash("sha256").update(text).digest();
  return timingSafeEqual(hash(given), hash(token.reveal()));
}

function refused(status: number, reason: string): Answer {
  return { status, body: { error: `${reason} Nothing was stored.` } };
}

function tooLarge({ maxBytes }: { maxBytes: number }): Answer {
  return refused(413, `A message may have ${maxBytes} bytes at most.`);
}

function tooManyGuesses(seconds: number): Answer {
  const reason = `Too many wrong tokens from this network. Try again in ${seconds} s.`;
  return { ...refused(429, reason), headers: { "retry-after": String(seconds) } };
}

function tooMuchMail(seconds: number): Answer {
  const { messages, bytes } = arrivalLimits;
  const reason = `This token has reached its limit for an hour: ${messages} messages or ${bytes / 1024 ** 3} GiB. Try again in ${seconds} s.`;
  return { ...refused(429, reason), headers: { "retry-after": String(seconds) } };
}

function insufficientStorage({ retryAfterSeconds }: InsufficientStorage): Answer {
  const headers = { "retry-after": String(retryAfterSeconds) };
  return { ...refused(507, "The disk of this server has too little free space."), headers };
}

function putOff(reason: string): Answer {
  const headers = { "retry-after": String(httpLimits.retryAfterSeconds) };
  return { ...refused(503, reason), headers };
}

function send(request: IncomingMessage, response: ServerResponse, answer: Answer): void {
  const { status, body, headers } = answer;
  // The connection is closed, because an unread rest of the body would be parsed as the next request.
  const isWhole = request.complete;
  response.writeHead(status, {
    "content-type": "application/json",
    ...headers,
    ...(!isWhole && { connection: "close" }),
  });
  response.end(`${JSON.stringify(body)}\n`);
  if (!isWhole) request.resume();
}
