import { canonicalJson } from "../core/shared/digest.ts";
import { type Data, isData } from "../core/shared/data.ts";

/** Keywords that model services refuse at the root of a schema. One such tool ends every request of a conversation. */
const refused = ["oneOf", "anyOf", "allOf", "not", "enum"];
/** Limit on schemas within schemas, and on references. */
const maxLevels = 5;
/** Limit on the alternatives of one schema. References can multiply them without end. */
const maxAlternatives = 500;
/** Limit on the names in the sentence about a choice. Characters. */
const maxNames = 300;

/** The whole schema, and how many alternatives may still be read. */
interface Reading {
  root: Data;
  left: number;
}

/** The rules of a schema for the arguments of an object. */
interface Arguments {
  properties: ReadonlyMap<string, unknown>;
  required: ReadonlySet<string>;
  /** The choices between sets of arguments, in words. */
  choices: readonly string[];
}

/**
 * Returns the schema of arguments in a form that every client and model service accepts. Clients refuse the whole list
 * of tools because of one schema whose root has another form. Calls are still checked against the reviewed schema.
 */
export function listedSchema(schema: Data): Data {
  const { properties, required, ...rest } = withoutAlternatives(schema);
  const { $schema } = rest;
  const parts = isData(properties) ? Object.entries(properties) : [];
  const kept = Object.entries(rest).filter(
    ([keyword, value]) => value !== null && (keyword !== "$schema" || typeof $schema === "string"),
  );
  return {
    ...Object.fromEntries(kept),
    type: "object",
    properties: Object.fromEntries(parts.map(([name, part]) => [name, objectOf(part)])),
    ...(Array.isArray(required) && { required: [...new Set(namesIn(required))] }),
  };
}

/** Returns the schema of one argument as an object. A boolean is a schema too, which some clients do not know. */
function objectOf(schema: unknown): Data {
  if (isData(schema)) return schema;
  return schema === false ? { not: {} } : {};
}

/**
 * Returns a schema without alternatives at its root. Their arguments are listed together, and the description says which
 * belong together.
 */
function withoutAlternatives(schema: Data): Data {
  if (!refused.some((keyword) => keyword in schema)) return schema;
  const { properties, required, choices } = argumentsOf(
    schema,
    { root: schema, left: maxAlternatives },
    0,
  );
  const { description } = schema;
  const words = [...(typeof description === "string" ? [description] : []), ...choices];
  const kept = Object.entries(schema).filter(([keyword]) => !refused.includes(keyword));
  return {
    ...Object.fromEntries(kept),
    ...(words.length > 0 && { description: words.join(" ") }),
    properties: Object.fromEntries(properties),
    ...(required.size > 0 && { required: [...required] }),
  };
}

/** Reads the arguments of a schema and of its alternatives. */
function argumentsOf(given: unknown, reading: Reading, level: number): Arguments {
  const schema = resolved(given, reading.root);
  reading.left -= 1;
  if (!isData(schema) || level > maxLevels || reading.left < 0)
    return { properties: new Map(), required: new Set(), choices: [] };
  const own = isData(schema["properties"]) ? Object.entries(schema["properties"]) : [];
  const properties = new Map<string, unknown>(own);
  const required = new Set(namesIn(schema["required"]));
  const choices: string[] = [];
  for (const keyword of ["allOf", "anyOf", "oneOf"] as const) {
    const alternatives = schema[keyword];
    if (!Array.isArray(alternatives) || alternatives.length === 0) continue;
    const read = alternatives.map((each) => argumentsOf(each, reading, level + 1));
    for (const [name, part] of joined(read)) if (!properties.has(name)) properties.set(name, part);
    choices.push(...read.flatMap((each) => each.choices));
    const [first = new Set<string>(), ...others] = read.map((each) => each.required);
    const inAll = [...first].filter((name) => others.every((each) => each.has(name)));
    const always = keyword === "allOf" ? read.flatMap((each) => [...each.required]) : inAll;
    for (const name of always) required.add(name);
    if (keyword === "allOf") continue;
    const sets = read.map((each) => [...each.required].filter((name) => !required.has(name)));
    const words = sets.filter((names) => names.length > 0).map((names) => names.join(", "));
    const text = [...new Set(words)].join(" | ").slice(0, maxNames);
    if (text === "") continue;
    const isOptional = sets.some((names) => names.length === 0);
    const count = keyword === "oneOf" ? "exactly one" : "at least one";
    choices.push(`Give ${isOptional ? "one or none" : count} of these sets: ${text}.`);
  }
  return { properties, required, choices };
}

/** Joins the arguments of alternatives. One with several schemas may have any of them. */
function joined(all: readonly Arguments[]): ReadonlyMap<string, unknown> {
  const parts = new Map<string, Map<string, unknown>>();
  for (const { properties } of all)
    for (const [name, part] of properties) {
      const known = parts.get(name) ?? new Map<string, unknown>();
      known.set(canonicalJson(part), part);
      parts.set(name, known);
    }
  return new Map(
    [...parts].map(([name, known]) => {
      const [only, ...more] = known.values();
      return [name, more.length === 0 ? only : { anyOf: [only, ...more] }];
    }),
  );
}

/** Follows references within the same document. */
function resolved(schema: unknown, root: Data): unknown {
  let at = schema;
  for (let level = 0; level < maxLevels; level += 1) {
    if (!isData(at) || typeof at["$ref"] !== "string") return at;
    const path = /^#\/(\$defs|definitions)\/([^/~%]+)$/.exec(at["$ref"]);
    const [, place = "", name = ""] = path ?? [];
    const found = root[place];
    at = isData(found) && Object.hasOwn(found, name) ? found[name] : undefined;
  }
  return undefined;
}

function namesIn(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((name) => typeof name === "string") : [];
}
