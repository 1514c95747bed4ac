import { cut as shortened } from "../shared/text/clean-text.ts";
import { escaped, isShort, shownLabel, shownText, shownValue } from "../shared/text/visible.ts";
import type { OperationKind, EffectFound, Line, Tool } from "../tool/tool.ts";

/** An effect for one reader: a sentence, and further facts in order of importance. */
export interface Rendering {
  /** In the imperative, without a full stop: `Delete the file "a.txt", 12 kB, changed yesterday`. */
  headline: string;
  facts: readonly Line[];
}

/**
 * An effect in three renderings of the same facts. `forModel` has the tool and the caller's own arguments. `forPerson`
 * adds what `prepare` found at the target. `forDialog` passes through the client program. It omits facts of `forPerson`
 * that this client cannot read.
 */
export interface Effect {
  title: string;
  /** Absent in the request about a wider policy file, which is no call of a tool. */
  operation?: OperationKind;
  /** True if an earlier identical run may have happened. The first fact of each rendering is a note about it. */
  followsUnknownRun?: boolean;
  forModel: Rendering;
  forPerson: Rendering;
  /** `withheld` names the facts that only the other approval channels show, for example `its title`. */
  forDialog: Rendering & { withheld?: string };
}

/** Longest headline that is made from a tool's sentence for the activity list. Characters. */
const maxHeadlineCharacters = 300;

/**
 * Renders a call from its parsed arguments. The person also sees the findings of `prepare`. Arguments in the headline
 * are not repeated.
 * @param more.lead the first fact: the result of an earlier identical request
 * @param more.afterUnknown the outcome of that request is unknown
 * @param more.resolved arguments completed by `prepare`. They may contain facts of the target, so only the person sees
 * them
 * @param more.origins sources of the arguments. The client's dialog omits them
 */
export function effectOf(
  tool: Pick<Tool, "title" | "operation" | "describe" | "mentions">,
  args: Readonly<Record<string, unknown>>,
  found?: EffectFound,
  {
    lead,
    afterUnknown = false,
    resolved = args,
    origins = [],
  }: {
    lead?: string | undefined;
    afterUnknown?: boolean;
    resolved?: Readonly<Record<string, unknown>> | undefined;
    origins?: readonly Line[];
  } = {},
): Effect {
  const before = lead === undefined ? [] : [{ label: "note", value: lead }];
  const lines = (values: Readonly<Record<string, unknown>>, said: readonly string[]): Line[] =>
    Object.entries(values)
      .filter(([label, value]) => value !== undefined && !(said.includes(label) && isShort(value)))
      .map(([name, value]) => ({ label: shownLabel(name), value: shownValue(value) }));
  const forModel: Rendering = {
    headline: shortened(escaped(capitalized(tool.describe(args))), maxHeadlineCharacters),
    facts: [...before, ...lines(args, tool.mentions)],
  };
  const shown = (line: Line): Line => ({ label: line.label, value: shownText(line.value) });
  const headline = escaped(found?.headline ?? forModel.headline);
  const facts = [...before, ...(found?.facts ?? []).map(shown)];
  const rest = found?.arguments ?? lines(resolved, found?.mentions ?? tool.mentions);
  const compared = (found?.compared ?? []).map(shown);
  const forPerson = { headline, facts: [...facts, ...compared, ...rest, ...origins] };
  return {
    title: tool.title,
    operation: tool.operation,
    ...(afterUnknown && { followsUnknownRun: true }),
    forModel,
    forPerson,
    forDialog: dialog(),
  };

  function dialog(): Effect["forDialog"] {
    if (found?.forClient === undefined || found.forClient === "all")
      return { headline, facts: [...facts, ...rest] };
    const { headline: open, mentions, facts: readable = [], withheld } = found.forClient;
    return {
      headline: escaped(open),
      facts: [...before, ...readable.map(shown), ...lines(args, mentions)],
      ...(withheld !== undefined && { withheld }),
    };
  }
}

function capitalized(sentence: string): string {
  return sentence.charAt(0).toUpperCase() + sentence.slice(1);
}
