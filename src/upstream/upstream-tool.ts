import { z } from "zod";
import type { Risk } from "../core/policy/risk.ts";
import { shownName } from "../core/shared/visible.ts";
import { ToolError } from "../core/tool/tool-error.ts";
import type { Tool } from "../core/tool/tool.ts";
import type { Ports } from "../ports/ports.ts";
import type {
  CompileSchema,
  SchemaCheck,
  ServerEntry,
  UpstreamAnswer,
} from "../ports/upstream/upstream-server.ts";
import { answerText, boundedAnswer, upstreamOutput } from "./answer.ts";
import { upstreamEffect } from "./effect.ts";
import { operationOf, upstreamListing } from "./listing.ts";
import type { Pin } from "./pins.ts";

/** How long a server may take to start, in addition to the call. Milliseconds. */
const startWithinMs = 30_000;

/** A tool of an upstream server, as the pipeline sees every tool. */
export interface UpstreamTool extends Tool<Ports> {
  readonly reads: ServerEntry["reads"];
  readonly sends: boolean;
}

/** Sends a call to the server if its definition is still the reviewed one. */
export type SendCall = (call: {
  entry: ServerEntry;
  tool: string;
  hash: string;
  arguments: Readonly<Record<string, unknown>>;
  acts: boolean;
  signal: AbortSignal;
}) => Promise<UpstreamAnswer>;

/** Creates the tool for a reviewed definition. Its schemas are compiled at the first call. */
export function upstreamTool(
  entry: ServerEntry,
  { definition, hash }: Pin,
  risk: Risk,
  { send, compile }: { send: SendCall; compile: CompileSchema },
): UpstreamTool {
  const { name, title, description } = upstreamListing(entry, definition, risk);
  const operation = operationOf(definition, risk);
  const { inputSchema, outputSchema } = definition;
  const checkInput = once(() => compile(inputSchema));
  const checkOutput = once(() => outputSchema && compile(outputSchema));
  const what = `${shownName(definition.title ?? definition.name)} of the server ${entry.name}`;
  return {
    name,
    title,
    description,
    risk,
    operation,
    openWorld: definition.annotations?.["openWorldHint"] !== false,
    idempotent: definition.annotations?.["idempotentHint"] === true,
    needs: [],
    reads: entry.reads,
    sends: entry.sends,
    timeoutMs: entry.timeoutMs + startWithinMs,
    input: inputOf(inputSchema, checkInput),
    output: upstreamOutput,
    actsOn: undefined,
    withoutApproval: undefined,
    similar: undefined,
    report: undefined,
    gives: undefined,
    outgoing: undefined,
    says: [],
    describe: (_args, output) => `${output === undefined ? "use" : "used"} ${what}`,
    prepare: (args) =>
      Promise.resolve({ version: hash, effect: upstreamEffect(entry.name, definition, args) }),
    execute: async (args, { version, signal }) => {
      if (version !== undefined && version !== hash) {
        throw new ToolError(
          "conflict",
          `The definition of ${name} changed after this call was approved. Nothing was done.`,
          { hint: "Call again: the user is asked about the tool as it is now." },
        );
      }
      const acts = operation !== "reads";
      const call = { entry, tool: definition.name, hash, arguments: args, acts, signal };
      return boundedAnswer(await send(call), definition, checkOutput());
    },
    text: (output) => answerText(name, output),
  };
}

/**
 * Returns the input schema for the reviewed JSON Schema. It fills in no defaults, so that the server gets the arguments
 * that the person saw.
 */
function inputOf(schema: Readonly<Record<string, unknown>>, check: () => SchemaCheck): z.ZodObject {
  const { properties } = schema;
  const names =
    typeof properties === "object" && properties !== null ? Object.keys(properties) : [];
  const shape = Object.fromEntries(
    names.filter((name) => name !== "__proto__").map((name) => [name, z.unknown().optional()]),
  );
  return z.looseObject(shape).superRefine((args, context) => {
    for (const message of check()(args)) context.addIssue({ code: "custom", message });
  });
}

function once<T>(make: () => T): () => T {
  let made: { value: T } | undefined;
  return () => (made ??= { value: make() }).value;
}
