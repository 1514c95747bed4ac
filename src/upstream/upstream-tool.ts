import { z } from "zod";
import type { Risk } from "../core/policy/risk.ts";
import { isStopped } from "../core/call/caller-stop.ts";
import type { Cancellation } from "../core/shared/lazy-signal.ts";
import type { Log } from "../core/shared/log.ts";
import { shownName } from "../core/shared/text/visible.ts";
import { ToolError } from "../core/tool/tool-error.ts";
import type { EffectFound, Prepared, Tool } from "../core/tool/tool.ts";
import type { Ports } from "../ports/ports.ts";
import type { CompileSchema, ServerEntry } from "../ports/upstream/upstream-server.ts";
import { resultText, boundedResult, upstreamOutput } from "./bounded-result.ts";
import { upstreamEffect } from "./effect.ts";
import { operationOf, upstreamListing } from "./listing.ts";
import type { Pin } from "./pins.ts";
import { type ReadState, stateReader } from "./preview.ts";
import type { ConfirmDefinition, SendCall } from "./running/send-call.ts";
import { isToolOf } from "./tool-name.ts";
import type { ReviewedTool } from "./upstream-catalog.ts";

/** How long a server may take to start, in addition to the call. Milliseconds. */
const startWithinMs = 30_000;

/** A tool of an upstream server, as the pipeline sees every tool. */
export interface UpstreamTool extends Tool<Ports> {
  readonly reads: ServerEntry["reads"];
  readonly sends: boolean;
}

export interface UpstreamToolSettings {
  send: SendCall;
  confirm: ConfirmDefinition;
  compile: CompileSchema;
  /** Finds a reviewed tool by its name on the same server. */
  reviewed: (tool: string) => ReviewedTool | undefined;
  log: Log;
}

/** Creates the tool for a reviewed definition. Its schemas are checked in another thread. */
export function upstreamTool(
  entry: ServerEntry,
  { definition, hash }: Pin,
  risk: Risk,
  { send, confirm, compile, reviewed, log }: UpstreamToolSettings,
): UpstreamTool {
  const listed = upstreamListing(entry, definition, risk);
  const { name, title, description } = listed;
  const operation = operationOf(definition, risk);
  const { inputSchema, outputSchema } = definition;
  const readState = stateReader(entry, definition.name, { send, reviewed });
  const checkInput = compile(inputSchema, name);
  const checkOutput = outputSchema && compile(outputSchema, name);
  const what = `${shownName(definition.title ?? definition.name)} of the server ${entry.name}`;
  const notKept = (cause: unknown): undefined => {
    log.warn("storing a shortened result failed", { tool: name, cause });
  };
  return {
    name,
    title,
    description,
    risk,
    operation,
    openWorld: definition.annotations?.["openWorldHint"] !== false,
    idempotent: definition.annotations?.["idempotentHint"] === true,
    needs: [],
    previews: readState !== undefined,
    reads: entry.reads,
    sends: entry.sends,
    destination: entry.name,
    // The annotations of such a tool claim that its arguments stay within the server, and a person reviewed this claim.
    ...(operation === "reads" &&
      definition.annotations?.["openWorldHint"] === false && {
        gaveItself: ({ kind, id }) => kind === "upstream" && isToolOf(entry.name, id),
      }),
    timeoutMs: entry.timeoutMs + startWithinMs,
    isInterruptible: true,
    input: inputOf(inputSchema),
    check: checkInput,
    output: upstreamOutput,
    hasTypedOutput: true,
    schemas: { input: listed.inputSchema, annotations: { ...listed.annotations } },
    actsOn: undefined,
    withoutApproval: undefined,
    similar: undefined,
    report: undefined,
    gives: undefined,
    outgoing: undefined,
    mentions: [],
    describe: (_args, output) => {
      if (output === undefined) return `use ${what}`;
      return output["failed"] === true ? `used ${what}, which reported a failure` : `used ${what}`;
    },
    prepare: async (args, context) => {
      // If no preview is permitted, the request is about private content, and its effect shows that content instead.
      if (readState === undefined || context.mayPreview !== true)
        return new PreparedUnseen(hash, () => upstreamEffect(entry.name, definition, args));
      const { version, lines } = await readState(args, context.cancellation);
      const effect = upstreamEffect(entry.name, definition, args, lines);
      return { version: `${hash} ${version}`, effect };
    },
    confirm: async () => await confirm({ entry, tool: definition.name, hash }),
    execute: async (args, { ports, principal, version, cancellation: signal, progress }) => {
      const [, approvedState] = version?.split(" ") ?? [];
      if (version !== undefined && !isVersionOf({ hash }, version)) {
        throw new ToolError(
          "conflict",
          `The definition of ${name} changed after this call was approved. Nothing was done.`,
          { hint: "Call again: the user is asked about the tool as it is now." },
        );
      }
      if (readState !== undefined && approvedState !== undefined)
        await assertUnchanged(readState, approvedState, args, signal);
      const acts = operation !== "reads";
      const { name: tool } = definition;
      const call = { entry, tool, hash, arguments: args, acts, signal, progress };
      const { output, cut } = await boundedResult(await send(call), definition, checkOutput);
      // The call has already run, so a failing store must not make it fail.
      const resultId = cut && (await ports.results.keep(principal, cut).catch(notKept));
      const whole: z.input<typeof upstreamOutput> = {
        ...output,
        ...(resultId !== undefined && { resultId }),
      };
      return whole;
    },
    text: (output) => resultText(name, output),
  };
}

/**
 * A prepared call whose effect is computed only when it is shown to a person, because most calls run immediately. A
 * class, because an object literal with a getter costs more than most steps of a call.
 */
class PreparedUnseen implements Prepared<Readonly<Record<string, unknown>>> {
  readonly version: string;
  readonly #effect: () => EffectFound<Readonly<Record<string, unknown>>>;

  constructor(version: string, effect: () => EffectFound<Readonly<Record<string, unknown>>>) {
    this.version = version;
    this.#effect = effect;
  }

  get effect() {
    return this.#effect();
  }
}

/** Returns whether a call was prepared for this reviewed definition. The version may also have the target's state. */
export function isVersionOf({ hash }: Pick<Pin, "hash">, version: string): boolean {
  return version.split(" ")[0] === hash;
}

/**
 * Returns the input schema for the reviewed JSON Schema. It fills in no defaults, so that the server gets the arguments
 * that the person saw.
 */
function inputOf(schema: Readonly<Record<string, unknown>>): z.ZodObject {
  const { properties } = schema;
  const names =
    typeof properties === "object" && properties !== null ? Object.keys(properties) : [];
  // A name that every object inherits, such as `toString`, would always count as given.
  const shape = Object.fromEntries(
    names.filter((name) => !(name in {})).map((name) => [name, z.unknown().optional()]),
  );
  return z.looseObject(shape);
}

/** Reads the present state again. @throws ToolError `conflict` if it is not the one that a person saw */
async function assertUnchanged(
  readState: ReadState,
  approved: string,
  args: Readonly<Record<string, unknown>>,
  signal: Cancellation,
): Promise<void> {
  const { version } = await readState(args, signal).catch((thrown: unknown) => {
    if (!isStopped(signal)) throw thrown;
    throw new ToolError(
      "cancelled",
      "The call was cancelled before it was sent. Nothing was done.",
    );
  });
  if (version === approved) return;
  throw new ToolError(
    "conflict",
    "The target changed after the user saw its present state. Nothing was done.",
    { hint: "Check the target, then call again: the user is shown the new state." },
  );
}
