import type { z } from "zod";
import { isDeeper, maxLevels } from "../shared/data.ts";
import { isInexact } from "../shared/text/exact-json.ts";
import { schemaFault } from "../shared/text/schema-fault.ts";
import { ToolError } from "../tool/tool-error.ts";
import type { Tool, ToolContract } from "../tool/tool.ts";

/** Problems listed in one result: enough to correct a call, few enough to read. */
const maxProblems = 5;

/** A text limit from this length on concerns size and not form. Exceeding it is `too_large`. Characters. */
const sizeLimitFrom = 10_000;

/**
 * Parses arguments by the tool's schema and fills in defaults.
 * @throws ToolError `invalid_input` or `too_large`, naming each field
 */
export function parseArguments(
  tool: ToolContract<never>,
  args: unknown,
): Readonly<Record<string, unknown>> {
  if (isDeeper(args, maxLevels)) {
    throw new ToolError(
      "invalid_input",
      `${tool.name} was not called: its arguments are nested in more than ${maxLevels} levels.`,
    );
  }
  // The parser drops this field in silence, and the tool would get other arguments than the caller gave.
  if (typeof args === "object" && args !== null && Object.hasOwn(args, "__proto__")) {
    throw new ToolError(
      "invalid_input",
      `${tool.name} was not called: no field may have the name "__proto__".`,
    );
  }
  const result = tool.input.safeParse(args ?? {});
  if (result.success) {
    const broken = brokenValue(result.data);
    if (broken === undefined) return result.data;
    throw new ToolError("invalid_input", `${tool.name} was not called: ${broken}.`);
  }
  const { issues } = result.error;
  const problems = issues.slice(0, maxProblems).map(problem);
  if (issues.length > maxProblems) problems.push(`and ${issues.length - maxProblems} more`);
  const tooLarge = issues.every(
    (issue) => issue.code === "too_big" && Number(issue.maximum) >= sizeLimitFrom,
  );
  throw new ToolError(
    tooLarge ? "too_large" : "invalid_input",
    `${tool.name} was not called: ${problems.join("; ")}.`,
    { hint: fieldsOf(tool.name, tool.input) },
  );
}

/** Checks parsed arguments with the tool's own check. @throws ToolError `invalid_input` */
export async function checkArguments(
  { name, input, check }: Pick<Tool, "name" | "input" | "check">,
  args: Readonly<Record<string, unknown>>,
): Promise<void> {
  const problems = (await check?.(args)) ?? [];
  if (problems.length === 0) return;
  throw new ToolError("invalid_input", `${name} was not called: ${problems.join("; ")}.`, {
    hint: fieldsOf(name, input),
  });
}

function fieldsOf(name: string, input: z.ZodObject): string {
  const fields = Object.keys(input.shape);
  // The schema of an upstream tool may name its fields only in `oneOf`, or not at all.
  return fields.length === 0
    ? `${name} names no fields at the top of its schema.`
    : `Fields of ${name}: ${fields.join(", ")}.`;
}

/**
 * Names the first field with a value that would reach the tool changed. A number may have lost digits when the call was
 * read. Half of a character has no UTF-8 form, so the stored text would differ from the approved one (RFC 8785 section
 * 3.2.2.2 refuses it too).
 */
function brokenValue(value: unknown, path: readonly string[] = []): string | undefined {
  if (typeof value === "string")
    return value.isWellFormed()
      ? undefined
      : `${path.join(".")} contains half of a character (a lone surrogate)`;
  if (typeof value === "number") return isInexact(value) ? tooLong(value, path) : undefined;
  if (typeof value !== "object" || value === null) return undefined;
  for (const [name, part] of Object.entries(value)) {
    const broken = brokenValue(part, [...path, name]);
    if (broken !== undefined) return broken;
  }
  return undefined;
}

function tooLong(value: number, path: readonly string[]): string {
  const name = path.join(".");
  return Number.isFinite(value)
    ? `${name} is a whole number over ${Number.MAX_SAFE_INTEGER}, which loses digits. Write it as text if the tool takes text`
    : `${name} is a number that is too large`;
}

function problem(issue: z.core.$ZodIssue): string {
  const field = issue.path.join(".");
  if (issue.code === "unrecognized_keys") {
    return `unknown field ${issue.keys
      .slice(0, maxProblems)
      .map((key) => JSON.stringify(key.slice(0, 80)))
      .join(", ")}`;
  }
  if (issue.code === "invalid_type" && issue.message.endsWith("received undefined"))
    return `${field} is missing`;
  if (field !== "") return `${field}: ${schemaFault(issue)}`;
  return issue.code === "invalid_type" ? `its arguments ${schemaFault(issue)}` : schemaFault(issue);
}
