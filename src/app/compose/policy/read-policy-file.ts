import { LocatedFault } from "../../../core/policy/file/located-json.ts";
import { type ReadPolicy, parsePolicy } from "../../../core/policy/file/parse-policy.ts";
import type { KnownTool } from "../../../core/policy/file/policy-schema.ts";
import { readSafely } from "../../platform/safe-file.ts";
import type { RegistryTools } from "../read-registry.ts";

/** The file is not a valid policy. The message names the file, and line and column if the fault has them. */
export class PolicyFileError extends Error {
  override readonly name = "PolicyFileError";
}

/**
 * Reads and parses a policy file.
 * @throws PolicyFileError
 */
export function readPolicyFile(path: string, tools: readonly KnownTool[]): ReadPolicy {
  const text = readSafely(path, (problem) => new PolicyFileError(problem));
  try {
    return parsePolicy(text, { tools, now: new Date() });
  } catch (error) {
    if (!(error instanceof LocatedFault)) throw error;
    const { line, column } = error.place;
    throw new PolicyFileError(
      `${path}:${line}:${column} (line ${line}, column ${column}): ${error.message}`,
    );
  }
}

/** Returns a sentence for each rule that approves nothing, for a person. */
export function idleSentences({ idle }: Pick<ReadPolicy, "idle">): readonly string[] {
  return idle.map(
    ({ rule, reason, place }) =>
      `The rule ${rule.ruleId} (line ${place.line}) approves nothing: ${reason}.`,
  );
}

export function knownTools(tools: RegistryTools): KnownTool[] {
  return Array.from(tools.values(), ({ name, input }) => ({
    name,
    argumentNames: Object.keys(input.properties),
  }));
}
