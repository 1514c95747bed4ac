import {
  Ajv,
  type ErrorObject,
  type FuncKeywordDefinition,
  type Options,
  type ValidateFunction,
} from "ajv";
import { Ajv2019 } from "ajv/dist/2019.js";
import { Ajv2020 } from "ajv/dist/2020.js";
import { isData } from "../../core/shared/data.ts";

const maxProblems = 5;

const options: Options = {
  strict: false,
  validateFormats: false,
  logger: false,
  // Methods that all objects inherit, such as `toString`, are no fields of a value.
  ownProperties: true,
};

type Dialect = typeof Ajv | typeof Ajv2019 | typeof Ajv2020;

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
  const { $schema, $id: _id, ...keywords } = schema;
  // Programs in Go write null for an empty list.
  const rest = Object.fromEntries(Object.entries(keywords).filter(([, value]) => value !== null));
  const allErrors = JSON.stringify(rest).length > maxNestedCharacters;
  for (const dialect of dialectsOf($schema))
    // Many patterns, such as `[\w-.]`, are only valid without the flag `u`.
    for (const unicodeRegExp of [true, false]) {
      const ajv = new dialect({ ...options, allErrors, unicodeRegExp, ...(isSound && unexamined) });
      // Ajv refuses `id`, the former name of `$id`.
      ajv.removeKeyword("id").removeKeyword("multipleOf").addKeyword(multipleOf);
      try {
        const validate = ajv.compile(
          dialect === Ajv ? (withoutFlags(rest) as Readonly<Record<string, unknown>>) : rest,
        );
        // The engine compiles the code of a long schema at its first use, which must not count as time of a check. A
        // schema with an endless reference to itself fails here.
        void validate({});
        return validate;
      } catch {
        // The next way of reading the schema follows.
      }
    }
  return undefined;
}

/** Returns the dialects by which a schema is read, the likeliest first. Many old schemas name none. */
function dialectsOf($schema: unknown): Dialect[] {
  const named = typeof $schema === "string" ? $schema : "";
  if (/draft-0[4-7]/.test(named)) return [Ajv];
  if (named.includes("2019-09")) return [Ajv2019];
  return named.includes("2020-12") ? [Ajv2020] : [Ajv2020, Ajv];
}

/** Decimal fractions are not exact: 19.99 / 0.01 is 1998.9999999999998. */
const multipleOf: FuncKeywordDefinition = {
  keyword: "multipleOf",
  type: "number",
  schemaType: "number",
  validate: (divisor: number, value: number): boolean => {
    if (Number.isInteger(divisor) && Number.isInteger(value)) return value % divisor === 0;
    const quotient = value / divisor;
    const tolerance = Math.abs(quotient) * 4 * Number.EPSILON;
    return Math.abs(quotient - Math.round(quotient)) <= tolerance;
  },
};

/** Returns a schema with the limits of draft-04, whose `exclusiveMinimum` is a flag, as those of draft-07. */
function withoutFlags(part: unknown): unknown {
  if (Array.isArray(part)) return part.map(withoutFlags);
  if (!isData(part)) return part;
  const read: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(part)) read[key] = withoutFlags(value);
  for (const [flag, limit] of [
    ["exclusiveMinimum", "minimum"],
    ["exclusiveMaximum", "maximum"],
  ] as const) {
    if (typeof read[flag] !== "boolean" || typeof read[limit] !== "number") continue;
    const [exclusive, inclusive] = read[flag] ? [read[limit], undefined] : [undefined, read[limit]];
    Object.assign(read, { [flag]: exclusive, [limit]: inclusive });
  }
  return read;
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
