import { createContext, Script } from "node:vm";
import { Ajv, type AnySchema, type ErrorObject, type Options, type ValidateFunction } from "ajv";
import { Ajv2020 } from "ajv/dist/2020.js";
import { ToolError } from "../../core/tool/tool-error.ts";
import type { CompileSchema } from "../../ports/upstream/upstream-server.ts";

/** Time limit of one check, because a pattern may take exponential time. Generous for a busy machine. Milliseconds. */
const checkWithinMs = 5_000;
const maxProblems = 5;

const options: Options = {
  strict: false,
  allErrors: false,
  validateFormats: false,
  // Schemas of different servers may have the same id.
  addUsedSchema: false,
  logger: false,
};

/** Compiles a schema of an upstream server. References to other documents are errors, because Ajv gets no loader. */
export const compileSchema: CompileSchema = (schema) => {
  const validate = within(() => compiled(schema));
  if (validate === undefined) throw unusable();
  return (value) => {
    const ok = within(() => validate(value));
    if (ok === undefined) return ["the check against the tool's schema took too long"];
    return ok ? [] : (validate.errors ?? []).slice(0, maxProblems).map(problem);
  };
};

function compiled(schema: Readonly<Record<string, unknown>>): ValidateFunction {
  const { $schema, $id: _id, ...rest } = schema;
  const isOld = typeof $schema === "string" && /draft-0[4-7]/.test($schema);
  try {
    return new (isOld ? Ajv : Ajv2020)(options).compile(rest as AnySchema);
  } catch (cause) {
    throw unusable(cause);
  }
}

function unusable(cause?: unknown): ToolError {
  return new ToolError(
    "unavailable",
    "The schema of this tool cannot be used to check a call. Nothing was done.",
    { cause },
  );
}

/** Only Node's `vm` can interrupt a regular expression that does not end. */
const sandbox = createContext({ run: undefined as unknown });
const script = new Script("run()");

function within<T>(work: () => T): T | undefined {
  sandbox["run"] = work;
  try {
    return script.runInContext(sandbox, { timeout: checkWithinMs }) as T;
  } catch (thrown) {
    if (hasTimedOut(thrown)) return undefined;
    throw thrown;
  } finally {
    sandbox["run"] = undefined;
  }
}

/**
 * Returns true for the error of an exceeded limit. It belongs to the other context, so it is no `Error` of this one.
 */
function hasTimedOut(thrown: unknown): boolean {
  if (typeof thrown !== "object" || thrown === null || !("code" in thrown)) return false;
  return thrown.code === "ERR_SCRIPT_EXECUTION_TIMEOUT";
}

/** Returns our own sentence about a fault: the field and the rule, without text of the schema. */
function problem({ instancePath, keyword, params }: ErrorObject): string {
  const field = instancePath.slice(1).replaceAll("/", ".");
  const at = field === "" ? "" : `${field}: `;
  const named = (name: string): string => JSON.stringify(String(params[name]).slice(0, 80));
  switch (keyword) {
    case "required":
      return `${at}${named("missingProperty")} is missing`;
    case "additionalProperties":
      return `${at}unknown field ${named("additionalProperty")}`;
    case "type":
      return `${at}must be ${String(params["type"])}`;
    case "enum":
      return `${at}must be one of ${JSON.stringify(params["allowedValues"]).slice(0, 300)}`;
    default:
      return `${at}does not fit the rule ${JSON.stringify(keyword)} of the tool's schema`;
  }
}
