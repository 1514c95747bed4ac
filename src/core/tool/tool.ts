import type { Cancellation } from "../shared/lazy-signal.ts";
import type { z } from "zod";
import type { GivenContent } from "../flow/ledger.ts";
import type { DeclaredRisk, Risk } from "../policy/risk.ts";
import type { ArgumentMatchers } from "../policy/rules/condition.ts";
import type { ApprovalGuidance } from "./tool-error.ts";
import type { Data } from "../shared/data.ts";

/** The kind of a tool's effect, from which its annotations are derived (catalog.ts). */
export type OperationKind = "reads" | "adds" | "changes" | "removes";

/** One line that a person reads before a decision. */
export interface Line {
  label: string;
  value: string;
}

/** The text block of a result: our own sentences, and untrusted text that is later put between markers. */
export interface ResultText {
  facts: string;
  /** Sentences that both forms of the result must contain, because the output has no field for them. */
  notices?: readonly string[];
  untrusted?: string;
  /** True if the result says that the call failed. Its text is then all that the caller gets. */
  failed?: boolean;
  /**
   * Pictures, sounds and links in addition to the text. The output's field `blocks` has the same, and structured
   * content omits it.
   */
  blocks?: readonly MediaBlock[];
  /** Content that is too large or unsuitable for a model, for the client program. */
  link?: ContentLink;
}

/** The parts of a result that are not text. The names in it are ours. */
export type MediaBlock =
  | { kind: "image" | "audio"; data: string; mediaType: string }
  | { kind: "resource"; uri: string; mediaType?: string | undefined; data: string }
  | { kind: "link"; uri: string; mediaType?: string | undefined };

/** A link to one file or attachment. Reading it calls the tool that returned it, with the reader's own rights. */
export interface ContentLink {
  uri: string;
  title: string;
  mediaType: string;
  bytes: number;
}

/** The findings of `prepare` about the target. They never reach a result, an error, progress or `_meta`. */
export interface Prepared<Args> {
  /** The arguments with every default resolved. The request stores them, and a run uses only these. */
  args?: Args;
  /** The risk of this call. A `dynamic` tool must return it. Other tools can only raise their declared risk. */
  risk?: Risk;
  /** Why only a person may decide on this call. It then has a high risk, and no rule covers it. */
  onlyPerson?: string;
  /** The target's version. If absent, the target must not exist when the call runs. */
  version?: string;
  effect?: EffectFound<Args>;
}

/** Facts for the person beyond the call's arguments. */
export interface EffectFound<Args = never> extends Headline<Args> {
  /** The target's present state and its future state, in order of importance, without repeating the headline. */
  facts: readonly Line[];
  /**
   * Old and new values that the headline contains, each pair labelled before and after. The client's dialog omits them.
   */
  compared?: readonly Line[];
  /**
   * True if the headline names an item that the arguments identify only by an id. The activity list then shows the
   * headline.
   */
  isRecorded?: true;
  /** The arguments in another form than one line each. Invisible characters are already made visible. */
  arguments?: readonly Line[];
  /**
   * The facts in an elicitation, which passes through the client program. `all` is right only if this client could read
   * the same facts at low risk. Otherwise: a headline and facts that it could read, and in `withheld` the names of
   * those that only the other approval channels show.
   */
  forClient:
    | "all"
    | (Headline<Args> & { facts?: readonly Line[]; withheld?: string; ifShown?: IfShown });
}

/** The headline for a caller that a person has allowed to see the named item. */
export interface IfShown {
  headline: string;
  /** The field of an approved result with the list of items. */
  list: string;
  /** The fields that the item must have. */
  item: Readonly<Record<string, string>>;
  /** The facts that only the other approval channels show in this case too. */
  withheld?: string;
}

/** The sentence that a person decides on. */
export interface Headline<Args = never> {
  /** In the imperative, capitalized, without a full stop. Names in it come from `shownName`. */
  headline: string;
  /** The arguments that the headline contains. */
  mentions: readonly (keyof Args & string)[];
}

/** The context of a tool's functions. `ports` contains everything that the tool `needs`. */
export interface ToolContext<Ports> {
  ports: Ports;
  principal: string;
  /** True if `prepare` may send arguments before a decision: no private content was found in them. */
  mayPreview?: boolean;
  /** Aborts when the caller cancels or the time limit is reached. Created when it is first read. */
  readonly signal: AbortSignal;
  /** The same as `signal`, for work that needs no real signal. */
  readonly cancellation: Cancellation;
}

export interface ExecuteContext<Ports> extends ToolContext<Ports> {
  /** The id of this run in the audit record. */
  callId: string;
  /** The version that `prepare` saw. Undefined if the target did not exist, and then the run may only create it. */
  version: string | undefined;
  /** True if a person approved this call, not a rule. */
  isDecided?: boolean | undefined;
  /** Returns the ids of the mails whose text the caller was given in the last hour, the newest first. */
  mailsRead?: (() => Promise<readonly string[]>) | undefined;
  /** Reports the progress of the run to the caller. Undefined if the caller did not ask for progress. */
  progress?: TellProgress | undefined;
}

/** Progress as numbers only, because a text could be untrusted. */
export type TellProgress = (report: { progress: number; total?: number | undefined }) => void;

/** The declarative part of a tool, for clients, people and documents. */
export interface ToolContract<Ports = never> {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly risk: DeclaredRisk;
  readonly operation: OperationKind;
  /** True if the tool reaches systems outside of this instance. */
  readonly openWorld: boolean;
  /** True if repeating the call with the same arguments has no further effect. */
  readonly idempotent: boolean;
  /** True if its calls are not counted in any budget. */
  readonly free?: boolean;
  /** The time limit of each step of a call, in milliseconds. Undefined for the common limit. */
  readonly timeoutMs?: number;
  /**
   * True if a running call ends when its caller asks for that, although it may have changed something. Without it, a
   * change that was started is finished.
   */
  readonly isInterruptible?: boolean;
  /** True if `prepare` sends arguments to the tool's system. The context must then permit it with `mayPreview`. */
  readonly previews?: boolean;
  /** The kind of content in the tool's results. Private content is sent only after approval. */
  readonly reads: "private" | "public" | "none";
  /** True if the arguments go to a third party. */
  readonly sends: boolean;
  /** The third party, if several tools send to it. Undefined for the tool's own name. */
  readonly destination?: string;
  /**
   * Returns whether an item with this source came from the system that gets the arguments. Sending it back there
   * reveals nothing.
   */
  readonly gaveItself?: (source: { kind: string; id: string }) => boolean;
  /** The ports that the tool requires. It is listed only if all are configured. */
  readonly needs: readonly (keyof Ports & string)[];
  readonly input: z.ZodObject;
  readonly output: z.ZodObject;
  /** True if the compiler checks that `execute` returns the form of `output`, which is then not parsed. */
  readonly hasTypedOutput?: true;
  /** The JSON Schema and annotations of an upstream tool, which `input` does not contain. */
  readonly schemas?: Readonly<Record<"input" | "annotations", Readonly<Record<string, unknown>>>>;
}

/** A tool as the pipeline sees it, with erased types: the pipeline passes only parsed values. */
export interface Tool<Ports = never> extends ToolContract<Ports> {
  /** Returns the faults of parsed arguments, for a schema that must be checked in another thread. */
  readonly check?: (args: Data) => Promise<readonly string[]>;
  readonly actsOn: ((args: Data) => string) | undefined;
  readonly prepare:
    | ((args: Data, context: ToolContext<Ports>) => Promise<Prepared<Data>>)
    | undefined;
  /**
   * Confirms before a person is asked that the tool is still the one that was reviewed.
   * @throws ToolError
   */
  readonly confirm?: () => Promise<void>;
  readonly execute: (args: Data, context: ExecuteContext<Ports>) => Promise<Data>;
  readonly withoutApproval:
    | ((args: Data, context: ToolContext<Ports>, approval: ApprovalGuidance) => Promise<Data>)
    | undefined;
  readonly similar: ((args: Data) => ArgumentMatchers | undefined) | undefined;
  readonly text: (output: Data, args: Data) => ResultText;
  readonly describe: (args: Data, output?: Data) => string;
  readonly mentions: readonly string[];
  readonly report: ((args: Data, output: Data) => string) | undefined;
  readonly gives: ((output: Data, args: Data) => readonly GivenContent[]) | undefined;
  readonly outgoing: ((args: Data) => string) | undefined;
}

export interface ContractSpec<
  Ports,
  Need extends keyof Ports & string,
  I extends z.ZodObject,
  O extends z.ZodObject,
> {
  name: string;
  title: string;
  /** At most two lines: the effect and, for high-risk tools, that the user is asked. */
  description: string;
  risk: DeclaredRisk;
  operation: OperationKind;
  openWorld?: boolean;
  idempotent?: boolean;
  free?: boolean;
  reads?: "private" | "public" | "none";
  sends?: boolean;
  needs: readonly Need[];
  input: I;
  output: O;
}

export interface ToolSpec<
  Ports,
  Need extends keyof Ports & string,
  I extends z.ZodObject,
  O extends z.ZodObject,
> extends ContractSpec<Ports, Need, I, O> {
  /**
   * Returns the target in one spelling. A recent denial then covers every call of this tool on the same target,
   * whatever its other arguments. If absent, it covers identical calls only.
   */
  actsOn?: (args: z.output<I>) => string;
  /** Inspects the target without changing it: risk, version and the facts for the person. */
  prepare?: (
    args: z.output<I>,
    context: ToolContext<Pick<Ports, Need>>,
  ) => Promise<Prepared<z.output<I>>>;
  execute: (args: z.output<I>, context: ExecuteContext<Pick<Ports, Need>>) => Promise<z.input<O>>;
  /** Answers the caller while the request is undecided. If absent, the caller gets an error that names the request. */
  withoutApproval?: (
    args: z.output<I>,
    context: ToolContext<Pick<Ports, Need>>,
    approval: ApprovalGuidance,
  ) => Promise<z.input<O>>;
  /**
   * Returns the calls that "allow similar" covers besides this one, as narrowly as is useful. Takes the resolved
   * arguments. Only tools that create or write have it, because each removal must be decided separately.
   */
  similar?: (args: z.output<I>) => ArgumentMatchers | undefined;
  text: (output: z.output<O>, args: z.output<I>) => ResultText;
  /**
   * Describes the call in one sentence without a full stop. With an output: the effect in the past tense (`wrote
   * a.txt`), for the activity list and the user's report. Without an output: the form that follows "to" (`write
   * a.txt`).
   */
  describe: (args: z.output<I>, output?: z.output<O>) => string;
  /** The arguments that `describe` without an output contains. */
  mentions?: readonly (keyof z.output<I> & string)[];
  /**
   * Replaces `describe` in the user's report if that sentence may contain untrusted text. A model reads the report
   * outside the markers.
   */
  report?: (args: z.output<I>, output: z.output<O>) => string;
  /**
   * Returns the items in an output, each with its text. If absent, the whole output of a tool that reads private
   * content is one item.
   */
  gives?: (output: z.output<O>, args: z.output<I>) => readonly GivenContent[];
  /** Returns the outgoing text of a call. If absent, it is every text and number of the arguments. */
  outgoing?: (args: z.output<I>) => string;
}

/** Creates the two functions that define tools for one set of ports. The core itself knows no ports. */
export function toolDefiner<Ports>() {
  function defineContract<
    Need extends keyof Ports & string,
    I extends z.ZodObject,
    O extends z.ZodObject,
  >(spec: ContractSpec<Ports, Need, I, O>): ToolContract<Ports> {
    return {
      openWorld: false,
      reads: "none",
      sends: false,
      idempotent: spec.operation === "reads" || spec.operation === "removes",
      ...spec,
    };
  }
  function defineTool<
    Need extends keyof Ports & string,
    I extends z.ZodObject,
    O extends z.ZodObject,
  >(spec: ToolSpec<Ports, Need, I, O>): Tool<Ports> {
    // The only cast in core, because a list of tools cannot carry each tool's own types. It is sound: call.ts passes a
    // tool only values that the tool's schemas parsed, and only if every port that it needs is configured.
    return {
      actsOn: undefined,
      prepare: undefined,
      withoutApproval: undefined,
      similar: undefined,
      mentions: [],
      report: undefined,
      gives: undefined,
      outgoing: undefined,
      ...defineContract(spec),
      ...spec,
    } as unknown as Tool<Ports>;
  }
  return { defineContract, defineTool };
}

/** Returns whether a contract includes its functions. */
export function isTool<Ports>(contract: ToolContract<Ports>): contract is Tool<Ports> {
  return "execute" in contract;
}

/** Returns the report to the user about a call that ran without approval. */
export function reportOf<Ports>(tool: Tool<Ports>, args: Data, output: Data): string {
  if (tool.operation === "reads") return `${tool.title} (${tool.describe(args)})`;
  return tool.report?.(args, output) ?? tool.describe(args, output);
}
