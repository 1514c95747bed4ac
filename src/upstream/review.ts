import type { Risk } from "../core/policy/risk.ts";
import { canonicalJson, sha256Hex } from "../core/shared/digest.ts";
import { visible } from "../core/shared/text/visible.ts";
import { type DefinitionLine, rulesHeading } from "../ports/upstream/server-reviews.ts";
import type { ServerEntry, ToolDefinition } from "../ports/upstream/upstream-server.ts";
import { type Pin, type ServerPins, definitionHash } from "./pins.ts";
import { offeredName } from "./tool-name.ts";
import { proposedRisk, settingOf } from "./tool-settings.ts";

type Schema = Readonly<Record<string, unknown>>;

/** A tool as a person reviews it. */
export interface ReviewItem {
  name: string;
  state: "new" | "changed" | "unchanged" | "gone" | "off";
  /** The risk from `servers.json`, or else the reviewed one, or else the one that the annotations suggest. */
  risk: Risk;
  /** True if `servers.json` sets the risk, or turns the tool off. */
  isFixed: boolean;
  definition: ToolDefinition;
  /** The definition that was reviewed before, if it differs. */
  before: ToolDefinition | undefined;
  /** Why each call is refused. Undefined if calls are possible. */
  problem?: string | undefined;
}

const unusableSchema = "the schema cannot be used to check a call, so each call is refused";

/**
 * Returns the items of a review: each listed tool, and the reviewed tools that the server no longer lists.
 * @param faulty the names of the listed tools whose schema cannot be used
 */
export function reviewOf(
  entry: Pick<ServerEntry, "name" | "tools">,
  pins: ServerPins | undefined,
  listed: readonly ToolDefinition[],
  faulty: ReadonlySet<string> = new Set(),
): readonly ReviewItem[] {
  const items = listed.map((definition): ReviewItem => {
    const pin = pins?.tools[definition.name];
    const isSame = pin?.hash === definitionHash(definition);
    const setting = settingOf(definition.name, entry.tools);
    const proposed = isSame && pin !== undefined ? pin.risk : proposedRisk(definition);
    const risk = setting === undefined || setting === "off" ? proposed : setting;
    const state =
      setting === "off" ? "off" : pin === undefined ? "new" : isSame ? "unchanged" : "changed";
    const name = offeredName(entry.name, definition.name);
    const isFixed = setting !== undefined;
    const before = isSame ? undefined : pin?.definition;
    const problem = faulty.has(definition.name) ? unusableSchema : undefined;
    return { name, state, risk, isFixed, definition, before, problem };
  });
  const names = new Set(listed.map(({ name }) => name));
  const gone = Object.values(pins?.tools ?? {})
    .filter(({ definition }) => !names.has(definition.name))
    .map(({ definition, risk }): ReviewItem => {
      const name = offeredName(entry.name, definition.name);
      return { name, state: "gone", risk, isFixed: true, definition, before: undefined };
    });
  return [...items, ...gone];
}

/**
 * Returns a digest over everything that a person reviews, for the fingerprint.
 * @param rules a line for each rule that approves calls of the tools
 */
export function reviewDigest(items: readonly ReviewItem[], rules: readonly string[]): string {
  const tools = items.map(({ state, risk, definition }) => [
    state,
    risk,
    definitionHash(definition),
  ]);
  return sha256Hex(canonicalJson([tools, rules]));
}

/**
 * Returns the server's pins after a person accepted the review. Missing tools and tools that are off are not pinned.
 */
export function acceptedPins(
  identity: string,
  items: readonly ReviewItem[],
  { by, at }: { by: string; at: Date },
): ServerPins {
  const tools: Record<string, Pin> = {};
  for (const { state, definition, risk } of items) {
    if (state === "gone" || state === "off") continue;
    const hash = definitionHash(definition);
    tools[definition.name] = {
      definition: { ...definition, inputSchema: { ...definition.inputSchema } },
      hash,
      risk,
      reviewedBy: by,
      reviewedAt: at.toISOString(),
    };
  }
  return { identity, tools, seen: {} };
}

/** Formats the rules that approve calls of reviewed tools. Empty without a rule. */
export function rulesText(rules: readonly string[]): readonly string[] {
  return rules.length === 0 ? [] : [rulesHeading, ...rules.map((line) => `  ${line}`)];
}

/**
 * Formats a review for a person. Every character of the server's texts is visible.
 * @param more.leftOut the names of the tools that cannot be used
 * @param more.rules a line for each rule that approves calls of the tools
 */
export function reviewText(
  server: string,
  items: readonly ReviewItem[],
  { leftOut = [], rules = [] }: { leftOut?: readonly string[]; rules?: readonly string[] } = {},
): string {
  const lines = items.flatMap((item) => ["", ...itemLines(item)]);
  const count = `${items.length} ${items.length === 1 ? "tool" : "tools"}`;
  const others = leftOut.length === 0 ? [] : ["", leftOutSentence(leftOut)];
  const approving = rules.length === 0 ? [] : ["", ...rulesText(rules)];
  return [`Server ${server}: ${count}`, ...lines, ...others, ...approving].join("\n");
}

/** A server can list 1 000 tools that cannot be used. */
const maxLeftOut = 20;

/** Names the tools that cannot be used. */
export function leftOutSentence(names: readonly string[]): string {
  const more = names.length - maxLeftOut;
  const shown = names.slice(0, maxLeftOut).join(", ");
  return `Tools that are not offered, because their definition cannot be used: ${shown}${more > 0 ? `, and ${more} more` : ""}.`;
}

function itemLines(item: ReviewItem): string[] {
  const { name, state, risk, before: old } = item;
  const head = `${name}  ${state}${state === "gone" || state === "off" ? "" : `, risk: ${risk}`}`;
  const lines = definitionLines(item).flatMap(({ label, before, now }) => [
    ...(before === undefined ? [] : [`  - ${label}: ${before}`]),
    ...(now === undefined ? [] : [`  ${old === undefined ? "" : "+ "}${label}: ${now}`]),
  ]);
  return [head, ...lines];
}

/**
 * Returns the parts of a tool that a person reviews: all parts of a new definition, or those of a changed definition
 * that differ. Every character of the server's texts is visible.
 */
export function definitionLines({
  state,
  definition,
  before,
  problem,
}: ReviewItem): readonly DefinitionLine[] {
  const faults =
    problem === undefined ? [] : [{ label: "problem", before: undefined, now: problem }];
  if (state === "gone" || state === "unchanged") return faults;
  const lines = changedParts(before, definition, { isWhole: false });
  // A change of the words that are left out is shown too.
  const parts = lines.length > 0 ? lines : changedParts(before, definition, { isWhole: true });
  return [...faults, ...parts];
}

function changedParts(
  before: ToolDefinition | undefined,
  definition: ToolDefinition,
  extent: { isWhole: boolean },
): readonly DefinitionLine[] {
  const now = new Map(partsOf(definition, extent));
  const old = new Map(before === undefined ? [] : partsOf(before, extent));
  const labels = [...new Set([...old.keys(), ...now.keys()])];
  return labels
    .map((label) => ({ label, before: old.get(label), now: now.get(label) }))
    .filter((line) => line.before !== line.now);
}

/**
 * Returns a label and a text for each part of a definition.
 * @param extent.isWhole also the words that nearly every schema has, which tell a person nothing
 */
function partsOf(
  tool: ToolDefinition,
  { isWhole }: { isWhole: boolean },
): (readonly [string, string])[] {
  const { name, title, description, outputSchema, annotations } = tool;
  const { properties, required, ...rules } = isWhole
    ? tool.inputSchema
    : withoutCommonWords(tool.inputSchema);
  const output = outputSchema && (isWhole ? outputSchema : withoutCommonWords(outputSchema));
  const part = (label: string, value: string): readonly [string, string] => [label, visible(value)];
  const isObject = typeof properties === "object" && properties !== null;
  return [
    part("name", name),
    ...(title === undefined ? [] : [part("title", title)]),
    ...(description === undefined ? [] : [part("description", description)]),
    ...(isObject ? Object.entries(properties) : []).map(([argument, schema]) =>
      part(`argument ${visible(argument)}`, JSON.stringify(schema)),
    ),
    ...(required === undefined ? [] : [part("required arguments", listOf(required))]),
    ...(Object.keys(rules).length === 0
      ? []
      : [part("rules of the arguments", JSON.stringify(rules))]),
    ...(output === undefined ? [] : [part("output", JSON.stringify(output))]),
    ...(annotations === undefined ? [] : [part("claims", JSON.stringify(annotations))]),
  ];
}

/** Removes the dialect of a schema and the type of every tool's arguments. */
function withoutCommonWords(schema: Schema): Schema {
  return Object.fromEntries(
    Object.entries(schema).filter(
      ([key, value]) =>
        !(key === "$schema" && /^https?:\/\/json-schema\.org\/[\w./#-]+$/.test(String(value))) &&
        !(key === "type" && value === "object"),
    ),
  );
}

/** Formats a list of names. Other values, and names that contain a comma, are written as JSON. */
function listOf(names: unknown): string {
  const isPlain = Array.isArray(names) && names.every((name) => /^[\w.-]+$/.test(String(name)));
  return isPlain && names.length > 0 ? names.join(", ") : JSON.stringify(names);
}
