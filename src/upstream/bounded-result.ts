import { z } from "zod";
import { cutPage } from "../core/shared/page.ts";
import { isLongNumber, parseExactly } from "../core/shared/text/exact-json.ts";
import { likelyTokens } from "../core/shared/tokens.ts";
import { ours, untrustedText } from "../core/tool/untrusted-text.ts";
import type { MediaBlock, ResultText } from "../core/tool/tool.ts";
import { type Data, isContainer, isData, isDeeper, maxLevels } from "../core/shared/data.ts";
import type {
  SchemaCheck,
  ToolDefinition,
  UpstreamResult,
} from "../ports/upstream/upstream-server.ts";

/** Limit on the media of one result, as base64. Characters. */
const maxMediaCharacters = 4 * 1_048_576;
/** Limit on media blocks of one result. */
const maxBlocks = 50;
/** Tokens of structured content beside a page of text. Clients drop results over about 25 000 tokens. */
const maxStructuredTokens = 8_000;

const structuredContent = "structured content";

export const upstreamOutput = z.object({
  text: untrustedText(z.string()).describe("The text of the result, or its first page"),
  failed: z.boolean().describe("True if the server says that the call failed"),
  data: z.record(z.string(), z.unknown()).optional().describe("Structured content of the server"),
  truncated: z.boolean().describe("True if more text follows"),
  totalBytes: z.int(),
  resultId: ours(z.string()).optional().describe("For read_result, if more text follows"),
  nextOffset: z.int().optional(),
  leftOut: z.array(ours(z.string())).describe("Parts that did not fit"),
  blocks: z.array(z.unknown()).optional(),
  untrusted: z.literal(true),
});
type Output = z.output<typeof upstreamOutput>;

/**
 * Returns a result within our limits: a page of text, structured content that matches its reviewed schema, and
 * pictures, sounds, resources and links.
 * @returns `cut` is the whole text, if the page does not contain all of it. Structured content that is left out follows
 * the text
 */
export async function boundedResult(
  { isError, blocks, structured }: UpstreamResult,
  { outputSchema }: ToolDefinition,
  check: SchemaCheck | undefined,
): Promise<{ output: z.input<typeof upstreamOutput>; cut: Uint8Array | undefined }> {
  const leftOut: string[] = [];
  const texts = blocks.flatMap((block) => (block.kind === "text" ? [block.text] : []));
  const given = texts.join("\n");
  const hasData = structured !== undefined && !isDeeper(structured, maxLevels);
  // The schema is that of a success.
  const schema = isError ? undefined : outputSchema;
  const data =
    hasData && isData(structured) && (await mayPass(structured, schema, check))
      ? structured
      : undefined;
  // Structured content without a schema passes as text, because its keys must stay inside the markers.
  const isText = hasData && (given === "" || (schema === undefined && !repeats(texts, structured)));
  const full = isText
    ? [...texts, JSON.stringify(structured)].filter((text) => text !== "").join("\n")
    : given;
  const isShown = data !== undefined || isText;
  // The text of a failed call has its structured content, unless it is too deep.
  const isLeftOut = structured !== undefined && !isShown && !(isError && hasData);
  if (isLeftOut) leftOut.push(structuredContent);
  const later = isLeftOut && hasData && !repeats(texts, structured) ? [structured] : [];
  const bytes = Buffer.from(full.toWellFormed());
  const kept = Buffer.from(
    [full, ...later.map((each) => JSON.stringify(each))].join("\n").toWellFormed(),
  );
  const page = cutPage(bytes, {}, { totalBytes: kept.length, isText: true });
  let left = maxMediaCharacters;
  const media: MediaBlock[] = [];
  for (const block of blocks) {
    if (block.kind === "text") continue;
    if (block.kind === "unknown") {
      leftOut.push("a block of an unknown type");
      continue;
    }
    const safe = safeBlock(block);
    const size = "data" in block ? block.data.length : 0;
    if (safe === undefined || size > left || media.length >= maxBlocks) {
      leftOut.push(block.kind);
      continue;
    }
    left -= size;
    media.push(safe);
  }
  const output = {
    text: page.content,
    failed: isError,
    ...(data !== undefined && { data: wellFormed(data) as Data }),
    truncated: page.truncated,
    totalBytes: page.totalBytes,
    ...(page.nextOffset !== undefined && { nextOffset: page.nextOffset }),
    leftOut: [...new Set(leftOut)],
    ...(media.length > 0 && { blocks: media }),
    untrusted: true as const,
  };
  return { output, cut: page.truncated ? kept : undefined };
}

/** Returns the text of a result: our facts, and the server's text as data. */
export function resultText(offered: string, output: Data): ResultText {
  const { text, failed, truncated, totalBytes, leftOut, blocks, resultId } = output as Output;
  const shown = Buffer.byteLength(text);
  const has = leftOut.includes(structuredContent)
    ? " The rest contains the structured content."
    : "";
  const goesOn =
    resultId === undefined ? "" : `${has} Read on: read_result ${resultId}, offset ${shown}.`;
  const notices = [
    ...(truncated ? [`The first ${shown} of ${totalBytes} bytes of text are shown.${goesOn}`] : []),
    ...(leftOut.length > 0 ? [`Left out, because it does not fit: ${leftOut.join(", ")}.`] : []),
  ];
  return {
    facts: failed
      ? `${offered}: the server reported that the call failed${text === "" ? ", without a message." : ". Its message:"}`
      : `${offered} answered.`,
    ...(notices.length > 0 && { notices }),
    ...(text !== "" && { untrusted: text }),
    ...(failed && { failed }),
    ...(blocks !== undefined && { blocks: blocks as MediaBlock[] }),
  };
}

/**
 * Returns whether texts contain structured content as JSON, as the specification recommends. A text of its own may have
 * another order of keys.
 */
function repeats(texts: readonly string[], structured: unknown): boolean {
  const json = JSON.stringify(structured);
  return texts.some((text) => text.includes(json) || isSame(structured, parsed(text)));
}

function parsed(text: string): unknown {
  try {
    return parseExactly(text);
  } catch {
    return undefined;
  }
}

/** Compares JSON. The first value has at most `maxLevels` levels, so the recursion is bounded. */
function isSame(one: unknown, other: unknown): boolean {
  if (!isContainer(one) || !isContainer(other)) return one === other;
  if (Array.isArray(one) !== Array.isArray(other)) return false;
  const entries = Object.entries(one);
  const others = new Map<string, unknown>(Object.entries(other));
  return (
    entries.length === others.size &&
    entries.every(([key, part]) => others.has(key) && isSame(part, others.get(key)))
  );
}

/**
 * Returns whether structured content may be passed on. Its keys reach a model outside the markers, so only those of the
 * reviewed schema are allowed.
 */
async function mayPass(
  structured: Data,
  schema: Data | undefined,
  check: SchemaCheck | undefined,
): Promise<boolean> {
  if (schema === undefined || check === undefined) return false;
  if (likelyTokens(JSON.stringify(structured)) > maxStructuredTokens) return false;
  const known = new Set(propertyNames(schema));
  if (!keysOf(structured).every((key) => known.has(key))) return false;
  // The call has already run. A schema that is unusable leaves out only the structured content.
  const problems = await check(structured).catch(() => undefined);
  if (problems?.length === 0) return true;
  const numbers = withNumbers(structured);
  return numbers !== structured && (await check(numbers).catch(() => undefined))?.length === 0;
}

/**
 * Returns a value with its long numbers as numbers again. They are kept as text, so that no digit is lost, but a schema
 * may ask for a number. Returns the same value if it has none.
 */
function withNumbers(value: unknown): unknown {
  if (typeof value === "string") return isLongNumber(value) ? Number(value) : value;
  if (!isContainer(value)) return value;
  const before = Object.entries(value);
  const after = before.map(([key, part]: [string, unknown]) => [key, withNumbers(part)] as const);
  if (after.every(([, part], at) => part === before[at]?.[1])) return value;
  return Array.isArray(value) ? after.map(([, part]) => part) : Object.fromEntries(after);
}

/** Returns a copy without halves of characters, which programs in some languages cannot encode. */
function wellFormed(value: unknown): unknown {
  if (typeof value === "string") return value.toWellFormed();
  if (Array.isArray(value)) return value.map(wellFormed);
  if (!isData(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, wellFormed(part)]));
}

function keysOf(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(keysOf);
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, part]) => [key, ...keysOf(part)]);
}

function propertyNames(schema: unknown): string[] {
  if (!isContainer(schema)) return [];
  return Object.entries(schema).flatMap(([key, part]) => [
    ...(key === "properties" && isContainer(part) ? Object.keys(part) : []),
    ...propertyNames(part),
  ]);
}

/**
 * Schemes of URLs that are a program or contain their content. A client might open them. Hosts show a page of `ui` as part
 * of the server that sent it (MCP Apps). Our own resources have the scheme `countersign`.
 */
const unsafeSchemes = /^(?:javascript|vbscript|data|blob|ui|countersign):$/;
const mediaTypes = /^[a-z]{1,20}\/[a-z0-9.+-]{1,60}$/;

/** Returns the block, unless its address or type could contain a sentence. */
function safeBlock(block: MediaBlock): MediaBlock | undefined {
  const type = block.mediaType?.toLowerCase();
  if (type !== undefined && !mediaTypes.test(type)) return undefined;
  if ("data" in block && !isBase64(block.data)) return undefined;
  if ("uri" in block && !isPlainAddress(block.uri)) return undefined;
  return block;
}

/** Returns whether every client can decode a text. A client refuses the whole result because of one that it cannot. */
function isBase64(text: string): boolean {
  if (!/^[A-Za-z0-9+/]*={0,2}$/.test(text)) return false;
  return text.endsWith("=") ? text.length % 4 === 0 : text.length % 4 !== 1;
}

function isPlainAddress(uri: string): boolean {
  if (uri.length > 2_000 || !/^[!-~]+$/.test(uri) || !URL.canParse(uri)) return false;
  const { protocol, username } = new URL(uri);
  // `https://bank.example@evil.example` looks like a link to bank.example.
  return username === "" && !unsafeSchemes.test(protocol);
}
