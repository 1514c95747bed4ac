/** The permissions of a client: all calls, or only low-risk calls. The larger one is first. */
export const scopes = ["mcp", "mcp:read"] as const;
export type Scope = (typeof scopes)[number];

/** A client that asks for access. Its name is its own claim. */
export interface ConsentRequest {
  /** Undefined if the client gave none. */
  clientName: string | undefined;
  /** The host name that identifies the client: that of the client id, or else of the redirect address. */
  host: string;
  /** True if the client id is a URL at `host`. Otherwise anyone may have registered the name. */
  isVerified: boolean;
  /** The origin that receives the answer. */
  redirectOrigin: string;
  scope: Scope;
  /** The path to which the form is posted. */
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

/** A sign-in or its refusal, for the audit record. */
export interface SignInEvent {
  kind: "granted" | "denied" | "wrong secret" | "revoked" | "replayed";
  principal: string;
  /** The client's own name, or its id. */
  client: string;
  scope?: Scope;
}

/** The page on which an approver gives access to a client. */
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
  /** Renders a page that sends the browser to the client's address. */
  leave(address: URL): Promise<ConsentView>;
  /** Renders a page for a failed request. */
  failed(text: string): Promise<ConsentView>;
}
