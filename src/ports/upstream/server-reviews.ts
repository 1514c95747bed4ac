import type { Risk } from "../../core/policy/risk.ts";

/** The heading of the rules that approve calls of reviewed tools, also those that a removed server left. */
export const rulesHeading = "Rules that will approve calls of these tools without asking you:";

/** A server of `servers.json`, as the approval page lists it. */
export interface ServerState {
  name: string;
  /** The command or address of the server, with every character visible. */
  place: string;
  /** The state of its review, as a sentence. */
  state: string;
  /** True if tools wait for a review. */
  waits: boolean;
  /** False if the server cannot be started as it is configured. */
  isUsable: boolean;
  /** Why its last start for a review failed, and how to mend it. */
  failure?: string | undefined;
}

/** One part of a tool's definition: untrusted text with every character visible. */
export interface DefinitionLine {
  label: string;
  /** The reviewed text, if it differs. */
  before: string | undefined;
  /** Undefined if the part is gone. */
  now: string | undefined;
}

/** A tool in a review, for a person. */
export interface ShownTool {
  name: string;
  state: "new" | "changed" | "unchanged" | "gone" | "off";
  risk: Risk;
  /** True if `servers.json` sets the risk. */
  isFixed: boolean;
  /** All parts of a new tool, or the parts of a changed tool that differ. */
  lines: readonly DefinitionLine[];
}

export interface ShownReview {
  server: string;
  fingerprint: string;
  /** A digest of everything that is shown. */
  digest: string;
  tools: readonly ShownTool[];
  /** A line for each rule that approves calls of these tools. */
  rules: readonly string[];
  /** A sentence that names the tools that cannot be used. */
  leftOut?: string;
}

/** The decision about the tools of one server. */
export interface ReviewDecision {
  /** The digest of the review that the person saw. */
  digest: string;
  by: string;
  /**
   * The risk of each tool, in the order of the review. A tool with `off` is not offered. Undefined refuses the review.
   */
  risks: readonly (Risk | "off" | undefined)[] | undefined;
}

/** The reviews of upstream servers, for a person on the approval page and never for a tool. */
export interface ServerReviews {
  /** Returns the servers without starting any. */
  servers(): Promise<readonly ServerState[]>;
  /** Starts a server and lists its tools. `servers` has the reason of a failed start. @throws ToolError */
  readTools(server: string): Promise<void>;
  /** Returns the undecided reviews of the servers whose tools were listed here. */
  shown(): Promise<readonly ShownReview[]>;
  /** Stores a decision and adds an audit event. Returns false if the review is no longer the one that was shown. */
  decide(server: string, decision: ReviewDecision): Promise<boolean>;
}
