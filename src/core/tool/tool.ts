import type { z } from "zod";
import type { GivenContent } from "../flow/ledger.ts";
import type { DeclaredRisk, Risk } from "../policy/risk.ts";
import type { ArgumentMatchers } from "../policy/rules/condition.ts";
import type { ApprovalGuidance } from "./tool-error.ts";

/** What a tool does to the world; annotations derive from it (catalog.ts). */
export type OperationKind = "reads" | "adds" | "changes" | "removes";

/** One line that a person reads before deciding. */
export interface Line {
  label: string;
  value: string;
}

/** The text block of a result: our own sentences, and what strangers wrote, which the approval channel puts between markers. */
export interface ResultText {
  facts: string;
  /** Sentences that a model must get in every form of the result; no field of the output says as much. */
  notices?: readonly string[];
  untrusted?: string;
  /** What is too large or of no use to a model, for the client program. */
  link?: ContentLink;
}

/** Leads to one file or attachment; reading it is a call of the tool that gave it, with the reader's own rights. */
export interface ContentLink {
  uri: string;
  title: string;
  mediaType: string;
  bytes: number;
}

/** What `prepare` found out about the target. Nothing of it reaches a result, an error, progress or `_meta`. */
export interface Prepared<Args> {
  /** The arguments with every default resolved; the ticket stores these and execution uses nothing else. */
  args?: Args;
  /** The risk of this call. Needed from a `dynamic` tool; otherwise it can only raise the declared risk. */
  risk?: Risk;
  /** The target's version; absent means that the target must not exist when the call runs. */
  version?: string;
  effect?: EffectFound<Args>;
}

/** What the person is told of a call beyond its arguments. */
export interface EffectFound<Args = never> extends Headline<Args> {
  /** The target's present state and what becomes of it, in order of weight, as far as the headline does not say it. */
  facts: readonly Line[];
  /**
   * What an elicitation shows, which passes through the client program: all of it only if this client could read the same at
   * low risk. Otherwise a headline of what it could read, and in `withheld` what the other approval channels show.
   */
  forClient: "all" | (Headline<Args> & { withheld?: string });
}

/** What happens to what, in a sentence that a person decides on. */
export interface Headline<Args = never> {
  /** In the imperative, capitalized, without a full stop. Names in it are made by `shownName`. */
  headline: string;
  /** The arguments that it says. */
  says: readonly (keyof Args & string)[];
}

/** What every function of a tool gets. `ports` holds what the tool `needs`, all of it configured. */
export interface ToolContext<Ports> {
  ports: Ports;
  principal: string;
  /** Aborts when the caller gave up or the time budget is spent. Made when it is first read. */
  readonly signal: AbortSignal;
}

export interface ExecuteContext<Ports> extends ToolContext<Ports> {
  /** What the audit log knows this run by. */
  callId: string;
  /** As `prepare` saw it; undefined where there was no target, which then means create-only. */
  version: string | undefined;
}

/** The part of a tool that is data: everything a client, a person or a document needs to know about it. */
export interface ToolContract<Ports = never> {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly risk: DeclaredRisk;
  readonly operation: OperationKind;
  /** True where the tool reaches systems outside of this instance. */
  readonly openWorld: boolean;
  /** True where repeating the call with the same arguments changes nothing more. */
  readonly idempotent: boolean;
  /** True where calls count towards no budget. */
  readonly free?: boolean;
  /** The kind of content in the tool's results. Private content leaves only after approval. */
  readonly reads: "private" | "public" | "none";
  /** True if the arguments go to a third party. */
  readonly sends: boolean;
  /** The ports without which the tool is not listed. */
  readonly needs: readonly (keyof Ports & string)[];
  readonly input: z.ZodObject;
  readonly output: z.ZodObject;
}

type Data = Readonly<Record<string, unknown>>;

/** A tool as the pipeline sees it: types erased, because the pipeline has parsed what it hands over. */
export interface Tool<Ports = never> extends ToolContract<Ports> {
  readonly actsOn: ((args: Data) => string) | undefined;
  readonly prepare:
    | ((args: Data, context: ToolContext<Ports>) => Promise<Prepared<Data>>)
    | undefined;
  readonly execute: (args: Data, context: ExecuteContext<Ports>) => Promise<Data>;
  readonly withoutApproval:
    | ((args: Data, context: ToolContext<Ports>, approval: ApprovalGuidance) => Promise<Data>)
    | undefined;
  readonly similar: ((args: Data) => ArgumentMatchers | undefined) | undefined;
  readonly text: (output: Data, args: Data) => ResultText;
  readonly describe: (args: Data, output?: Data) => string;
  readonly says: readonly string[];
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
  /** At most two lines: what it does and, for a high risk, that the user is asked. */
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
   * What the call acts on, in one spelling: while a refusal stands it is a refusal of every call of this tool that acts on
   * the same, whatever else it says. Without it a refusal stands for identical calls alone.
   */
  actsOn?: (args: z.output<I>) => string;
  /** Looks at the target without changing anything: risk, version, what the person should see. */
  prepare?: (
    args: z.output<I>,
    context: ToolContext<Pick<Ports, Need>>,
  ) => Promise<Prepared<z.output<I>>>;
  execute: (args: z.output<I>, context: ExecuteContext<Pick<Ports, Need>>) => Promise<z.input<O>>;
  /** What the caller gets while nobody has approved; without it the caller gets an error that names the request. */
  withoutApproval?: (
    args: z.output<I>,
    context: ToolContext<Pick<Ports, Need>>,
    approval: ApprovalGuidance,
  ) => Promise<z.input<O>>;
  /**
   * The calls that "allow similar" covers beside this one, as narrow as they make sense; given the resolved arguments. Only
   * tools that create or write have it: a removal is never like another, and neither is what a person shows.
   */
  similar?: (args: z.output<I>) => ArgumentMatchers | undefined;
  text: (output: z.output<O>, args: z.output<I>) => ResultText;
  /**
   * One sentence for the diary, without a full stop. With an output: what was done, in the past tense (`wrote a.txt`), which is
   * also the user's report of a call that was not only reading. Without: what is wanted, as after "to" (`write a.txt`).
   */
  describe: (args: z.output<I>, output?: z.output<O>) => string;
  /** The arguments that `sentence` without an output says. */
  says?: readonly (keyof z.output<I> & string)[];
  /**
   * The user's report where the sentence may hold strangers' text: it is ours, and a model reads it outside of the markers.
   */
  report?: (args: z.output<I>, output: z.output<O>) => string;
  /**
   * The contents of others that an output holds, each with its text. Without it a tool that reads private content counts as
   * one content.
   */
  gives?: (output: z.output<O>, args: z.output<I>) => readonly GivenContent[];
  /** The text that leaves with a call. Without it, every text and number of the arguments. */
  outgoing?: (args: z.output<I>) => string;
}

/** Makes the two ways to write a tool, for one set of ports. The core knows nothing of what those are. */
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
    // The one cast of core: a list of tools cannot carry each tool's own types. It is sound because call.ts hands a
    // tool only what that tool's own schemas have parsed, and only when every port it needs is there.
    return {
      actsOn: undefined,
      prepare: undefined,
      withoutApproval: undefined,
      similar: undefined,
      says: [],
      report: undefined,
      gives: undefined,
      outgoing: undefined,
      ...defineContract(spec),
      ...spec,
    } as unknown as Tool<Ports>;
  }
  return { defineContract, defineTool };
}

/** Whether a contract has its functions yet. */
export function isTool<Ports>(contract: ToolContract<Ports>): contract is Tool<Ports> {
  return "execute" in contract;
}

/**
 * Returns what the user is told of a call that ran unasked. The sentence may hold what was read, or what a changed thing was
 * called: strangers' text, which reaches a model between markers only.
 */
export function reportOf<Ports>(tool: Tool<Ports>, args: Data, output: Data): string {
  if (tool.operation === "reads") return `${tool.title} (${tool.describe(args)})`;
  return tool.report?.(args, output) ?? tool.describe(args, output);
}
