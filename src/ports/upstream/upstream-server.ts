import type { Cancellation } from "../../core/shared/lazy-signal.ts";
import type { Risk } from "../../core/policy/risk.ts";
import type { TellProgress } from "../../core/tool/tool.ts";
import type { Data } from "../../core/shared/data.ts";

/** The risk of a tool in `servers.json`, by name or pattern, or `off`. */
export type ToolSetting = Risk | "off";

/** How an upstream server is reached. */
export type ServerTarget =
  | {
      kind: "process";
      command: string;
      args: readonly string[];
      /** The whole environment of the process. */
      env: Readonly<Record<string, string>>;
      /** The working directory of the process. */
      directory: string;
    }
  | {
      kind: "http";
      url: string;
      headers: Readonly<Record<string, string>>;
      /** Undefined if Countersign registers itself at sign-in. */
      oauth?: OAuthClient | undefined;
    };

/** The registration of Countersign that a person made at an authorization server. */
export interface OAuthClient {
  /** Also the address of a client id metadata document. */
  id: string;
  secret?: string | undefined;
  /** The port of the registered redirect address on this machine. */
  port?: number | undefined;
}

/** The settings of a preview: a tool of the same server that shows what a call will change. */
export interface Preview {
  /** A tool of low risk. */
  tool: string;
  /** The arguments for that tool. `$.path` is replaced by the call's argument at this path. */
  arguments: Data;
  /** The fields of its result that a person is shown. */
  show: readonly string[];
  /** The fields that differ at each reading. If there are any, only the fields of the result are compared. */
  ignore: readonly string[];
}

/** One server of `servers.json`. */
export interface ServerEntry {
  name: string;
  target: ServerTarget;
  /**
   * The command or the address as a person wrote it in `servers.json`, because values of variables may be secret. Only a
   * host by variable is replaced, so that a person sees where calls go.
   */
  place: string;
  /** A digest of command, arguments and address. Tools that were reviewed at another target are withheld. */
  identity: string;
  tools: Readonly<Record<string, ToolSetting>>;
  reads: "private" | "public" | "none";
  /** True if arguments are sent to a third party. */
  sends: boolean;
  timeoutMs: number;
  /** The previews, by the name of the tool that changes something. */
  preview: Readonly<Record<string, Preview>>;
  /** Why the server cannot be used as it is configured. */
  problem?: string;
}

/** A tool as an upstream server defines it. Any other field of the listing is dropped. */
export interface ToolDefinition {
  name: string;
  title?: string | undefined;
  description?: string | undefined;
  inputSchema: Data;
  outputSchema?: Data | undefined;
  annotations?: Data | undefined;
}

export type UpstreamBlock =
  | { kind: "text"; text: string }
  | { kind: "image" | "audio"; data: string; mediaType: string }
  | { kind: "resource"; uri: string; mediaType?: string | undefined; data: string }
  | { kind: "link"; uri: string; mediaType?: string | undefined }
  /** A block of an unknown type, which is left out. */
  | { kind: "unknown" };

/** A result without the server's `_meta`. */
export interface UpstreamResult {
  isError: boolean;
  blocks: readonly UpstreamBlock[];
  /** Usually an object. */
  structured?: unknown;
}

export interface UpstreamCall {
  tool: string;
  arguments: Data;
  /** True if the effect is unknown after a lost response. */
  acts: boolean;
  timeoutMs: number;
  signal: Cancellation;
  progress?: TellProgress | undefined;
}

/** An open connection. Its errors are `ToolError`s that name the server. */
export interface UpstreamConnection {
  /** Returns every usable tool of the server. */
  list(signal?: AbortSignal): Promise<readonly ToolDefinition[]>;
  /** Sends one call, once. */
  call(call: UpstreamCall): Promise<UpstreamResult>;
  /** Returns whether the server still answers requests within this time. */
  answers(withinMs: number): Promise<boolean>;
  /** Returns true if the server reported a change of its list since the last call of this function. */
  takeListChanged(): boolean;
  /** Calls `changed` when the server says that its list changed. */
  onListChanged(changed: () => void): void;
  /** The names of the tools of the last list that cannot be used, with every character visible. */
  readonly leftOut: readonly string[];
  readonly isClosed: boolean;
  close(): Promise<void>;
}

/** The tokens of a person's sign-in at a server over HTTP. */
export interface UpstreamSignIn {
  /** Returns the access token, renewed if it has expired. Undefined without a sign-in. */
  token(): Promise<string | undefined>;
  /** Returns a new token after the server refused this one. Undefined if there is none. */
  renewed(refused: string): Promise<string | undefined>;
  /** Stores the scopes that the server asked for in addition. The next sign-in requests them. */
  needs(scopes: string): Promise<void>;
}

/** Opens a connection within the time limit of a start. @throws ToolError */
export type ConnectUpstream = (entry: ServerEntry) => Promise<UpstreamConnection>;

/** Returns the faults of a value, each with its path. */
export type SchemaCheck = (value: unknown) => Promise<readonly string[]>;

/**
 * Returns the check against a JSON Schema (draft-07 or 2020-12). It rejects if the schema cannot be used, and names the
 * offered tool.
 */
export type CompileSchema = (schema: Data, tool: string) => SchemaCheck;
