import { Ajv, type AnySchema, type ErrorObject, type Options, type ValidateFunction } from "ajv";
import { Ajv2020 } from "ajv/dist/2020.js";

const maxProblems = 5;

const options: Options = {
  strict: false,
  validateFormats: false,
  logger: false,
};

/**
 * A longer schema is compiled to collect all faults. To stop at the first fault, Ajv nests a block for each property.
 * This takes quadratic time and, with thousands of properties, exhausts the stack. Characters.
 */
const maxNestedCharacters = 10_000;

/**
 * Options for a schema that was checked before. Otherwise Ajv would compile the meta-schema, which blocks for a long
 * time.
 */
const unexamined: Options = { validateSchema: false, meta: false };

/**
 * Compiles a schema of an upstream server. Undefined if it cannot be used. References to other documents are errors,
 * because Ajv gets no loader.
 */
export function compiled(
  schema: Readonly<Record<string, unknown>>,
  { isSound = false }: { isSound?: boolean } = {},
): ValidateFunction | undefined {
  const { $schema, $id: _id, ...rest } = schema;
  const isOld = typeof $schema === "string" && /draft-0[4-7]/.test($schema);
  const allErrors = JSON.stringify(rest).length > maxNestedCharacters;
  try {
    const validate = new (isOld ? Ajv : Ajv2020)({
      ...options,
      allErrors,
      ...(isSound && unexamined),
    }).compile(rest as AnySchema);
    // The engine compiles the code of a long schema at its first use, which must not count as time of a check. A schema
    // with an endless reference to itself fails here.
    void validate({});
    return validate;
  } catch {
    return undefined;
  }
}

export function problemsOf(validate: ValidateFunction, value: unknown): readonly string[] {
  return validate(value) ? [] : (validate.errors ?? []).slice(0, maxProblems).map(problem);
}

/** Describes a fault in our own words: the field and the rule, without text of the schema. */
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
