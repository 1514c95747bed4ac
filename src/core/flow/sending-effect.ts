import { type ArgumentMatchers, privateSources } from "../policy/rules/condition.ts";
import type { EffectFound, Line, Tool } from "../tool/tool.ts";
import { visible } from "../shared/text/visible.ts";
import type { FlowFinding, InformationFlow } from "./flow.ts";
import type { Hit } from "./hit.ts";
import { inShort } from "./ledger.ts";
import type { Data } from "../shared/data.ts";

/** Limit on named items whose matches are not marked. */
const mostUnmarked = 12;

/** The brackets around a match. Brackets in the text itself become parentheses. */
const [open, close] = ["\u27E6", "\u27E7"];

/**
 * Returns the effect of a call that sends private content: the text with its matches marked, and the source of each.
 * The client's dialog shows only texts that the client itself sent.
 */
export async function sendingEffect(
  tool: Pick<Tool, "describe" | "mentions">,
  args: Data,
  { text, matches, reason, sources, hasMore = false }: FlowFinding,
  nameOf: InformationFlow["nameOf"],
): Promise<EffectFound<Data>> {
  const headline = `Send private content: ${visible(tool.describe(args))}`;
  const origins = await Promise.all(
    matches.map(async (match): Promise<Line> => {
      const names = await Promise.all(match.sources.slice(0, 1).map(nameOf));
      const more = new Set(match.sources.map(inShort)).size - 1;
      const others = more > 0 ? ` and ${more} more` : "";
      return {
        label: "private",
        value: `${partOf(text, match)}: from ${names.join("")}${others}`,
      };
    }),
  );
  const named = new Set(matches.flatMap((match) => match.sources.slice(0, 1).map(inShort)));
  const unmarked = sources.filter((source) => !named.has(inShort(source)));
  const others = await Promise.all(
    unmarked.slice(0, mostUnmarked).map(async (source): Promise<Line> => {
      return { label: "private", value: `other parts: from ${await nameOf(source)}` };
    }),
  );
  const left = unmarked.length - others.length;
  const rest = [
    ...(left > 0 ? [`and ${left} more ${left === 1 ? "item" : "items"}`] : []),
    ...(hasMore ? ["the rest of the text was not compared"] : []),
  ].map((value): Line => ({ label: "private", value }));
  return {
    headline,
    mentions: tool.mentions,
    facts: [
      { label: "outgoing text", value: marked(text, matches) },
      ...(origins.length === 0
        ? [{ label: "why", value: reason }]
        : distinct([...origins, ...others, ...rest])),
    ],
    forClient: {
      headline,
      mentions: tool.mentions,
      withheld: "the source of the private content",
    },
  };
}

/**
 * Returns the rule of "allow similar": any text to the same destination that matches only the same items. Undefined if
 * the items are not all known.
 */
export function similarSending(
  { sources, hasMore = false }: FlowFinding,
  argumentNames: readonly string[],
): ArgumentMatchers | undefined {
  if (sources.length === 0 || hasMore) return undefined;
  return {
    ...Object.fromEntries(argumentNames.map((name) => [name, "any" as const])),
    [privateSources]: { is: sources.map(inShort) },
  };
}

/** Returns each line once. The outgoing text marks every place of words that are quoted several times. */
function distinct(lines: readonly Line[]): readonly Line[] {
  return [...new Map(lines.map((line) => [line.value, line])).values()];
}

function partOf(text: string, { span, kind, text: whole }: Hit): string {
  const part = text.slice(span.start, span.end);
  return kind === "parts" ? `${part} (completes ${whole})` : part;
}

function marked(text: string, matches: readonly Hit[]): string {
  let shown = "";
  let at = 0;
  for (const { span } of matches.toSorted((a, b) => a.span.start - b.span.start)) {
    if (span.start < at) continue;
    shown += `${plain(text.slice(at, span.start))}${open}${plain(text.slice(span.start, span.end))}${close}`;
    at = span.end;
  }
  return shown + plain(text.slice(at));
}

function plain(text: string): string {
  return text.replaceAll(open, "(").replaceAll(close, ")");
}
