type Schema = Readonly<Record<string, unknown>>;

/** Limit on the characters of a schema as JSON. Longer schemas take long to compile. */
const maxCharacters = 20_000;
/** Limit on the levels of nested schemas. */
const maxDepth = 10;

const isNumber = (value: unknown): boolean => typeof value === "number" && value >= 0;
const isAnyNumber = (value: unknown): boolean => typeof value === "number";
const isNames = (value: unknown): boolean =>
  Array.isArray(value) && value.every((name) => typeof name === "string");
const isAnything = (): boolean => true;

/**
 * Keywords whose check takes time in proportion to the value, and whose own value is not a schema. Their values are
 * checked here, because Ajv would compile the meta-schema for that.
 */
const linear = new Map<string, (value: unknown) => boolean>([
  ["title", isAnything],
  ["description", isAnything],
  ["$comment", isAnything],
  ["examples", isAnything],
  ["deprecated", isAnything],
  ["readOnly", isAnything],
  ["writeOnly", isAnything],
  ["default", isAnything],
  ["const", isAnything],
  ["format", (value) => typeof value === "string"],
  ["type", (value) => isType(value) || (isNames(value) && (value as unknown[]).every(isType))],
  ["required", isNames],
  ["enum", (value) => Array.isArray(value) && value.length > 0],
  ["minimum", isAnyNumber],
  ["maximum", isAnyNumber],
  ["exclusiveMinimum", isAnyNumber],
  ["exclusiveMaximum", isAnyNumber],
  ["minLength", isNumber],
  ["maxLength", isNumber],
  ["minItems", isNumber],
  ["maxItems", isNumber],
  ["minProperties", isNumber],
  ["maxProperties", isNumber],
]);
const types = ["object", "array", "string", "number", "integer", "boolean", "null"];

function isType(value: unknown): boolean {
  return typeof value === "string" && types.includes(value);
}

const schemaValues = new Set(["additionalProperties", "items", "not"]);
const schemaLists = new Set(["anyOf", "oneOf", "allOf"]);

/**
 * Returns whether a check against the schema takes time in proportion to the value, so that it needs no separate
 * thread. Patterns, references and unknown keywords are not harmless.
 */
export function isHarmless(schema: Schema): boolean {
  return JSON.stringify(schema).length <= maxCharacters && isHarmlessPart(schema, 0);
}

function isHarmlessPart(schema: unknown, depth: number): boolean {
  if (typeof schema === "boolean") return true;
  if (!isObject(schema) || depth > maxDepth) return false;
  return Object.entries(schema).every(([keyword, value]) => {
    // An id within a schema names a part to which other parts may refer.
    if (keyword === "$id" || keyword === "$schema") return depth === 0;
    const isValid = linear.get(keyword);
    if (isValid !== undefined) return isValid(value);
    if (schemaValues.has(keyword)) return isHarmlessPart(value, depth + 1);
    if (schemaLists.has(keyword))
      return (
        Array.isArray(value) &&
        value.length > 0 &&
        value.every((part) => isHarmlessPart(part, depth + 1))
      );
    if (keyword !== "properties" || !isObject(value)) return false;
    return Object.values(value).every((part) => isHarmlessPart(part, depth + 1));
  });
}

function isObject(value: unknown): value is Schema {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
