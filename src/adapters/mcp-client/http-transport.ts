import { randomUUID } from "node:crypto";
import {
  type JSONRPCMessage,
  type RequestId,
  StreamableHTTPClientTransport,
  type TransportSendOptions,
  extractWWWAuthenticateParams,
} from "@modelcontextprotocol/client";
import type { ServerTarget, UpstreamSignIn } from "../../ports/upstream/upstream-server.ts";
import { RequestFault, closed, statusFault } from "./errors.ts";
import { type GuardedFetch, createGuardedFetch, isCall } from "./guarded-fetch.ts";
import { idOf, isOfServer, refusalIn, responseFault } from "./http-response.ts";
import { type GuardedTransport, applyVerdict, createMessageGuard } from "./message-guard.ts";
import { secretHider } from "./server-secrets.ts";

/** A stream that does not end after its response is closed after this time, and so is a session. Milliseconds. */
const endsWithinMs = 1_000;
/** Failed attempts to continue a stream of events. */
const maxResumes = 2;
/** Bounds of the wait before a stream is continued, which the server may choose. Milliseconds. */
const shortestResumeMs = 200;
const longestResumeMs = 30_000;
/** The reason of a connection that was ended on this side. */
export const disconnected = "was disconnected";
/** Limit on responses to a server's own requests that are sent at the same time. */
const maxResponses = 16;

/**
 * The transport over HTTP: the SDK's own one behind the message guard. Its connections are checked and its messages
 * limited. It sends no request twice.
 */
export class HttpTransport implements GuardedTransport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  onlistchanged?: () => void;
  reason: string | undefined;
  listChanged = false;
  readonly hasPerRequestStream = true;
  readonly #target: ServerTarget & { kind: "http" };
  readonly #refused: (method: string) => void;
  readonly #signIn: UpstreamSignIn;
  readonly #guard: ReturnType<typeof createMessageGuard>;
  readonly #http: GuardedFetch;
  readonly #inner: StreamableHTTPClientTransport;
  /** Requests whose stream ended without a response, with the error that ends them. The server may not know of them. */
  readonly #cutOff = new Map<string, RequestFault>();
  /** Requests whose responses are being read. */
  readonly #reading = new Map<RequestId, AbortController>();
  /** Requests that were refused in a way that may mean the end of the session. */
  readonly #doubtful = new Set<RequestId>();
  #answering = 0;
  #failedFirst = false;
  /** The last fault of any request, for a start that fails. */
  #lastFault: RequestFault | undefined;

  constructor(
    target: ServerTarget & { kind: "http" },
    signIn: UpstreamSignIn,
    refused: (method: string) => void,
  ) {
    this.#target = target;
    this.#guard = createMessageGuard(secretHider(target));
    this.#signIn = signIn;
    this.#refused = refused;
    this.#http = createGuardedFetch(target.url, undefined, (init, reason) =>
      this.#readInvalid(init, reason),
    );
    this.#inner = new StreamableHTTPClientTransport(new URL(target.url), {
      fetch: async (url, init) => await this.#noted(this.#signed(url, init ?? {})),
      // Redirects are decided before the SDK sees a response.
      redirectPolicy: "follow",
      // A stream of events that ended early is continued, without sending its request again.
      reconnectionOptions: {
        initialReconnectionDelay: 1_000,
        maxReconnectionDelay: 1_000,
        reconnectionDelayGrowFactor: 1,
        maxRetries: maxResumes,
      },
      reconnectionScheduler: (resume, delayMs) => this.#continueLater(resume, delayMs),
    });
    this.#inner.onmessage = (message) => this.#received(message);
    this.#inner.onerror = (error) => this.onerror?.(error);
    this.#inner.onclose = () => {
      this.reason ??= disconnected;
      this.#http.close();
      this.onclose?.();
    };
  }

  async start(): Promise<void> {
    await this.#inner.start();
  }

  setProtocolVersion(version: string): void {
    this.#inner.setProtocolVersion(version);
  }

  async send(message: JSONRPCMessage, options?: TransportSendOptions): Promise<void> {
    this.#guard.sent(message);
    const { requestSignal, headers, onRequestStreamEnd } = options ?? {};
    const id = "method" in message && "id" in message ? message.id : undefined;
    const reading = new AbortController();
    if (id !== undefined) this.#reading.set(id, reading);
    this.#stopReading(cancelledBy(message));
    // `AbortSignal.any` would cost more. The signal of a request has no other use, so the listener stays.
    requestSignal?.addEventListener("abort", () => reading.abort(requestSignal.reason));
    if (requestSignal?.aborted === true) reading.abort(requestSignal.reason);
    try {
      await this.#inner.send(message, {
        requestSignal: reading.signal,
        ...(headers && { headers }),
        onRequestStreamEnd: () => {
          if (id !== undefined && this.#reading.delete(id)) this.#ended(id);
          onRequestStreamEnd?.();
        },
      });
    } catch (thrown) {
      if (id !== undefined) this.#reading.delete(id);
      throw thrown;
    }
  }

  /** Ends a request whose response has no reader any more, because its server could send without end. */
  #stopReading(id: RequestId | undefined): void {
    if (id === undefined) return;
    const reading = this.#reading.get(id);
    this.#reading.delete(id);
    reading?.abort();
  }

  /**
   * Continues a stream of events (`Last-Event-ID`) while a request waits. The server may have closed it because the
   * call takes long.
   */
  #continueLater(resume: () => void, delayMs: number): () => void {
    if (this.#reading.size === 0) return () => undefined;
    const waitMs = Math.min(longestResumeMs, Math.max(shortestResumeMs, delayMs));
    const timer = setTimeout(resume, waitMs).unref();
    return () => clearTimeout(timer);
  }

  async close(): Promise<void> {
    const wasOpen = this.reason === undefined;
    this.reason ??= disconnected;
    if (wasOpen) await this.#endSession();
    await this.#inner.close();
  }

  /** Tells the server that its session ended, because many servers keep each one for hours. */
  async #endSession(): Promise<void> {
    if (this.#inner.sessionId === undefined) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const isLate = new Promise<void>((resolve) => (timer = setTimeout(resolve, endsWithinMs)));
    // A server may refuse it, and one that hangs must not delay the end.
    await Promise.race([this.#inner.terminateSession().catch(() => undefined), isLate]);
    clearTimeout(timer);
  }

  faultOf(thrown: unknown): RequestFault | undefined {
    if (thrown instanceof RequestFault) return thrown;
    if (!(thrown instanceof Error)) return undefined;
    for (const [mark, fault] of this.#cutOff) {
      if (!thrown.message.includes(mark)) continue;
      this.#cutOff.delete(mark);
      return fault;
    }
    return undefined;
  }

  /** Returns the fault that caused a failed start, which the SDK's negotiation may hide. */
  faultOfStart(thrown: unknown): RequestFault | undefined {
    return this.faultOf(thrown) ?? this.#lastFault;
  }

  /** True if the server failed at the first request. */
  get failedUnheard(): boolean {
    return this.#failedFirst && !this.#guard.hasAnswered;
  }

  /**
   * Sends a request of this session. A server that was restarted does not know it (404 by the specification, 400 by
   * many servers). A response of JSON-RPC to the request itself does not concern the session.
   */
  async #signed(url: string | URL, init: RequestInit): Promise<Response> {
    const response = await this.#allowed(url, init);
    if (init.method !== "POST") return response;
    const refusal = response.status === 400 ? await refusalIn(response, init) : undefined;
    if (refusal !== undefined) {
      const id = idOf(init);
      if (id !== undefined && this.#inner.sessionId !== undefined && isOfServer(refusal))
        this.#doubtful.add(id);
      return Response.json(refusal);
    }
    const fault = await responseFault(response, init);
    if (fault !== undefined) {
      await response.body?.cancel();
      throw fault;
    }
    this.#lastFault = response.ok ? undefined : statusFault(response);
    if (response.status >= 500) this.#failedFirst = true;
    if (this.#inner.sessionId === undefined) return response;
    if (response.status !== 404 && response.status !== 400) return response;
    await response.body?.cancel();
    // The next call opens a new connection. Other requests of this session fail too.
    this.reason ??= forgotten;
    setImmediate(() => void this.close());
    throw new RequestFault(forgotten, { mayPass: true, retryAfterSeconds: 1 });
  }

  /** Adds the configured headers and the sign-in. A refused call is not repeated with a new token. */
  async #allowed(url: string | URL, init: RequestInit): Promise<Response> {
    const token = await this.#signIn.token();
    const response = await this.#http.fetch(url, this.#with(token, init));
    if (response.status !== 401 && response.status !== 403) return response;
    await response.body?.cancel();
    const { error, scope } = extractWWWAuthenticateParams(response);
    if (response.status === 403 && error === "insufficient_scope" && token !== undefined) {
      if (scope !== undefined) await this.#signIn.needs(scope);
      throw new RequestFault("needs more permissions than the sign-in has", { needsSignIn: true });
    }
    const isOld = response.status === 401 && token !== undefined;
    const renewed = isOld ? await this.#signIn.renewed(token) : undefined;
    if (renewed === undefined) throw notAllowed(response.status);
    if (isCall(init))
      throw new RequestFault("refused an old sign-in, which was renewed since", {
        mayPass: true,
        retryAfterSeconds: 1,
      });
    const again = await this.#http.fetch(url, this.#with(renewed, init));
    if (again.status !== 401) return again;
    await again.body?.cancel();
    throw notAllowed(again.status);
  }

  #with(token: string | undefined, init: RequestInit): RequestInit {
    const headers = new Headers(init.headers);
    for (const [name, value] of Object.entries(this.#target.headers)) headers.set(name, value);
    if (token !== undefined) headers.set("authorization", `Bearer ${token}`);
    return { ...init, headers };
  }

  async #noted(response: Promise<Response>): Promise<Response> {
    try {
      return await response;
    } catch (thrown) {
      if (thrown instanceof RequestFault) this.#lastFault = thrown;
      throw thrown;
    }
  }

  #ended(id: RequestId): void {
    if (this.#guard.isOpen(id)) this.#cutOffBecause(id, closed);
  }

  /** Ends a request that was sent and gets no response. */
  #cutOffBecause(id: RequestId, reason: string): void {
    if (this.reason !== undefined) return;
    const mark = randomUUID();
    this.#cutOff.set(mark, new RequestFault(reason, { wasSent: true }));
    this.onmessage?.({ jsonrpc: "2.0", id, error: { code: -32_000, message: mark } });
  }

  /** Ends the request whose response cannot be used. Other streams belong to no known request. */
  #readInvalid(init: RequestInit, reason: string): void {
    const id = idOf(init);
    if (id === undefined) return this.#fault(reason);
    if (!this.#guard.isOpen(id)) return;
    // The end of the stream is not another reason.
    const reading = this.#reading.get(id);
    this.#reading.delete(id);
    this.#cutOffBecause(id, reason);
    // Later, because the body is being read now, and its reader could not handle the abort.
    setImmediate(() => reading?.abort());
  }

  #fault(reason: string): void {
    this.reason ??= reason;
    void this.close();
  }

  /** Sends a response to a request of the server. While too many are being sent, further requests get none. */
  async #answered(message: JSONRPCMessage): Promise<void> {
    if (this.#answering >= maxResponses) return;
    this.#answering += 1;
    try {
      await this.#inner.send(message);
    } finally {
      this.#answering -= 1;
    }
  }

  #received(message: JSONRPCMessage): void {
    if (this.reason !== undefined) return;
    const answered = "method" in message ? undefined : message.id;
    if (answered !== undefined) setTimeout(() => this.#stopReading(answered), endsWithinMs).unref();
    applyVerdict(this.#guard.received(message), {
      pass: (passed) => {
        this.onmessage?.(passed);
        // The next call opens a new session. Otherwise each one would be refused. Later, so that this request has its error.
        if (answered !== undefined && this.#doubtful.delete(answered))
          setImmediate(() => this.#fault(forgotten));
      },
      listChanged: () => {
        this.listChanged = true;
        this.onlistchanged?.();
      },
      refused: (method) => this.#refused(method),
      answer: (answer) => this.#answered(answer),
      fault: (reason) => this.#fault(reason),
    });
  }
}

const forgotten = "no longer knows this connection, because it was restarted";

/** Returns the id of the request that a message cancels. */
function cancelledBy(message: JSONRPCMessage): RequestId | undefined {
  if (!("method" in message) || message.method !== "notifications/cancelled") return undefined;
  const requestId = message.params?.["requestId"];
  return typeof requestId === "string" || typeof requestId === "number" ? requestId : undefined;
}

function notAllowed(status: number): RequestFault {
  return new RequestFault(`refused the sign-in (HTTP status ${status})`, { needsSignIn: true });
}
