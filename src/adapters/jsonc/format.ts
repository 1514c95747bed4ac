import {
  type Node,
  type ParseError,
  createScanner,
  parse,
  parseTree,
  printParseErrorCode,
} from "jsonc-parser";
import {
  type ConfigFormat,
  ConfigSyntaxError,
  edited,
  lineAt,
  withoutMark,
  type ConfigKey,
} from "../../ports/config-format.ts";

/** JSON with comments and trailing commas, as most clients read it. */
export const jsoncFormat: ConfigFormat = {
  parse: (text) => {
    const body = withoutMark(text);
    return treeOf(body) && (parse(body) as unknown);
  },
  set: (text, path, value) =>
    edited(text, (body) => {
      const root = treeOf(body);
      if (root === undefined) {
        const eol = eolOf(body);
        const made = JSON.stringify(nested(path, value), undefined, 2).replaceAll("\n", eol);
        return body.trim() === "" ? `${made}${eol}` : `${body}${eol}${made}${eol}`;
      }
      return setIn(body, { root, path, value });
    }),
  remove: (text, path) =>
    edited(text, (body) => {
      const root = treeOf(body);
      const node = path.reduce((at, step) => at && childOf(at, step), root);
      return node?.parent === undefined ? body : withoutMember(body, memberOf(node));
    }),
};

/** Returns the value at this step, if it exists. An element of a list is found by its name or id. */
function childOf(node: Node, step: ConfigKey): Node | undefined {
  const members = node.children ?? [];
  if (typeof step === "string")
    return node.type === "object"
      ? members.find(({ children }) => children?.[0]?.value === step)?.children?.[1]
      : undefined;
  const names = (each: Node): unknown[] =>
    ["name", "id"].map((key): unknown => childOf(each, key)?.value);
  return members.find((each) => names(each).includes(step.named));
}

/** Returns the node to remove or to indent for a value: its property in an object, or the value itself in a list. */
function memberOf(node: Node): Node {
  return node.parent?.type === "property" ? node.parent : node;
}

function treeOf(text: string): Node | undefined {
  const errors: ParseError[] = [];
  const root = parseTree(text, errors, { allowTrailingComma: true, allowEmptyContent: true });
  const [first] = errors;
  if (first !== undefined)
    throw new ConfigSyntaxError(lineAt(text, first.offset), sentenceOf(first));
  return root;
}

/** Formats an error name as words: `ValueExpected` becomes `value expected`. */
function sentenceOf({ error }: ParseError): string {
  return printParseErrorCode(error)
    .replaceAll(/(?<=[a-z])(?=[A-Z])/g, " ")
    .toLowerCase();
}

function nested(path: readonly ConfigKey[], value: object): object {
  return path.reduceRight<object>(
    (inner, step) => (typeof step === "string" ? { [step]: inner } : [inner]),
    value,
  );
}

function shown(step: ConfigKey | undefined): string {
  if (step === undefined) return "the content";
  return typeof step === "string" ? step : step.named;
}

/** Follows the path as far as the parents exist, and creates the rest in the last of them. */
function setIn(
  text: string,
  { root, path, value }: { root: Node; path: readonly ConfigKey[]; value: object },
): string {
  let at = root;
  for (const [depth, step] of path.entries()) {
    const kind = typeof step === "string" ? "object" : "array";
    if (at.type !== kind)
      throw new ConfigSyntaxError(
        lineAt(text, at.offset),
        `${shown(path[depth - 1])} is not an ${kind}`,
      );
    const next = childOf(at, step);
    if (next === undefined)
      return withMember(text, at, { step, value: nested(path.slice(depth + 1), value) });
    at = next;
  }
  const made = printed(value, text, indentAt(text, memberOf(at).offset));
  return replaced(text, at.offset, at.offset + at.length, made);
}

function withMember(
  text: string,
  parent: Node,
  { step, value }: { step: ConfigKey; value: object },
): string {
  const key = typeof step === "string" ? `${JSON.stringify(step)}: ` : "";
  const end = parent.offset + parent.length - 1;
  const inside = text.slice(parent.offset + 1, end);
  const last = parent.children?.at(-1);
  if (!inside.includes("\n") && last !== undefined) {
    const place = last.offset + last.length;
    return replaced(text, place, place, `, ${key}${JSON.stringify(value)}`);
  }
  const eol = eolOf(text);
  const outer = indentAt(text, parent.offset);
  const inner = last === undefined ? outer + unitOf(text) : indentAt(text, last.offset);
  const hasComma = last !== undefined && commaAfter(text, last.offset + last.length) !== undefined;
  const made = `${eol}${inner}${key}${printed(value, text, inner)}${hasComma ? "," : ""}`;
  // Inserted after the comments of the last member.
  const place = parent.offset + 1 + inside.trimEnd().length;
  const hasEnd = text.slice(place, end).includes("\n");
  const withMade = replaced(text, place, place, hasEnd ? made : `${made}${eol}${outer}`);
  if (last === undefined || hasComma) return withMade;
  const comma = last.offset + last.length;
  return replaced(withMade, comma, comma, ",");
}

/** Removes a member, its comma and the white space that `withMember` inserted before it. */
function withoutMember(text: string, member: Node): string {
  const siblings = member.parent?.children ?? [];
  const before = siblings[siblings.indexOf(member) - 1];
  const start = text.slice(0, member.offset).trimEnd().length;
  const end = member.offset + member.length;
  const comma = commaAfter(text, end);
  const rest = replaced(text, start, comma === undefined ? end : comma + 1, "");
  if (comma !== undefined || before === undefined) return rest;
  const earlier = commaAfter(text, before.offset + before.length);
  return earlier === undefined ? rest : replaced(rest, earlier, earlier + 1, "");
}

/** Returns the offset of a comma that only spaces and comments precede. */
function commaAfter(text: string, offset: number): number | undefined {
  const scanner = createScanner(text, true);
  scanner.setPosition(offset);
  scanner.scan();
  const next = scanner.getTokenOffset();
  return text[next] === "," ? next : undefined;
}

function replaced(text: string, from: number, to: number, put: string): string {
  return text.slice(0, from) + put + text.slice(to);
}

function printed(value: object, text: string, indent: string): string {
  return JSON.stringify(value, undefined, unitOf(text)).replaceAll("\n", `${eolOf(text)}${indent}`);
}

/** Returns the white space at the start of the line with this offset. */
function indentAt(text: string, offset: number): string {
  const line = text.slice(text.lastIndexOf("\n", offset - 1) + 1);
  return /^[ \t]*/.exec(line)?.[0] ?? "";
}

/** Returns the indentation of the file, which is that of its first indented line. */
function unitOf(text: string): string {
  return /\n([ \t]+)\S/.exec(text)?.[1] ?? "  ";
}

function eolOf(text: string): string {
  return text.includes("\r\n") ? "\r\n" : "\n";
}
