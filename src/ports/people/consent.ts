/** The permissions of a host: all calls, or only calls of low risk. The larger one is first. */
export const scopes = ["mcp", "mcp:read"] as const;
export type Scope = (typeof scopes)[number];

/** A client that asks for access. Its name is its own claim. */
export interface ConsentRequest {
  /** Undefined if it gave none. */
  clientName: string | undefined;
  /** The host name that proves who asks: that of the client id, else where the answer goes. */
  host: string;
  /** Whether the client id is an address at `host`. Otherwise anyone may have registered the name. */
  isVerified: boolean;
  /** The origin that receives the answer. */
  redirectOrigin: string;
  scope: Scope;
  /** The path of the form. */
  path: string;
}

/** An HTML page. */
export interface ConsentView {
  status: number;
  headers: Readonly<Record<string, string>>;
  html: string;
}

export type ConsentAnswer =
  | { kind: "granted"; approver: string; scope: Scope }
  | { kind: "denied" }
  | { kind: "wrong"; view: ConsentView }
  | { kind: "view"; view: ConsentView };

/** An event of signing in, for the audit record. */
export interface SignInEvent {
  kind: "granted" | "denied" | "wrong secret" | "revoked" | "replayed";
  principal: string;
  /** The client's own name, or its id. */
  client: string;
  scope?: Scope;
}

/** The page on which an approver lets a client in. */
export interface ConsentPage {
  show(request: ConsentRequest): Promise<ConsentView>;
  /**
   * Reads a posted form.
   * @param sender the client address, for counting wrong secrets
   */
  answer(
    request: ConsentRequest,
    posted: { form: URLSearchParams; headers: Headers; sender: string },
  ): Promise<ConsentAnswer>;
  /** Renders a page that leads the browser to the client's address. */
  leave(address: URL): Promise<ConsentView>;
  /** Renders a page for a failed request. */
  failed(text: string): Promise<ConsentView>;
}
