import { cut as shortened } from "../shared/clean-text.ts";
import { escaped, isShort, shownText, shownValue } from "../shared/visible.ts";
import type { OperationKind, EffectFound, Line, Tool } from "../tool/tool.ts";

/** What happens, for one reader: a sentence that says it, and the rest in order of weight. */
export interface Rendering {
  /** In the imperative, without a full stop: `Delete the file "a.txt", 12 kB, changed yesterday`. */
  headline: string;
  facts: readonly Line[];
}

/**
 * What will happen, from one value in three renderings. `forModel` holds the tool and the caller's own arguments.
 * `forPerson` adds what `prepare` saw of the target: only approval channels show it. `forDialog` passes through the client
 * program: it is `forPerson` if this client could read the target anyway.
 */
export interface Effect {
  title: string;
  /** What the tool does to the world; absent in what an earlier version wrote. */
  does?: OperationKind;
  forModel: Rendering;
  forPerson: Rendering;
  /** `withheld`: what only the other approval channels show, as `its title`. */
  forDialog: Rendering & { withheld?: string };
}

/** Characters of a headline that is made of a tool's sentence for the diary. */
const maxHeadlineCharacters = 300;

/**
 * The renderings of a call: its parsed arguments, and for the person also what `prepare` found. Arguments that the headline
 * says are not repeated. `lead` is the first fact: what became of an earlier, identical request. `resolved`: the arguments
 * as `prepare` completed them, perhaps from the target itself: only the person sees those.
 */
export function effectOf(
  tool: Pick<Tool, "title" | "operation" | "describe" | "says">,
  args: Readonly<Record<string, unknown>>,
  found?: EffectFound,
  lead?: string,
  resolved: Readonly<Record<string, unknown>> = args,
): Effect {
  const before = lead === undefined ? [] : [{ label: "note", value: lead }];
  const lines = (values: Readonly<Record<string, unknown>>, said: readonly string[]): Line[] =>
    Object.entries(values)
      .filter(([label, value]) => value !== undefined && !(said.includes(label) && isShort(value)))
      .map(([label, value]) => ({ label, value: shownValue(value) }));
  const forModel: Rendering = {
    headline: shortened(escaped(capitalized(tool.describe(args))), maxHeadlineCharacters),
    facts: [...before, ...lines(args, tool.says)],
  };
  const facts = found?.facts.map(({ label, value }) => ({ label, value: shownText(value) })) ?? [];
  const forPerson: Rendering = {
    headline: escaped(found?.headline ?? forModel.headline),
    facts: [
      ...before,
      ...facts,
      ...(found?.arguments ?? lines(resolved, found?.says ?? tool.says)),
    ],
  };
  return { title: tool.title, does: tool.operation, forModel, forPerson, forDialog: dialog() };

  function dialog(): Effect["forDialog"] {
    if (found?.forClient === undefined || found.forClient === "all") return forPerson;
    const { headline, says, withheld } = found.forClient;
    return {
      headline: escaped(headline),
      facts: [...before, ...lines(args, says)],
      ...(withheld !== undefined && { withheld }),
    };
  }
}

function capitalized(sentence: string): string {
  return sentence.charAt(0).toUpperCase() + sentence.slice(1);
}
