import { quotedClient } from "../../core/shared/text/client-name.ts";
import type { ChatButton, MessengerMessage } from "../../ports/people/messenger.ts";
import type { RecentChange } from "../../ports/files/recent-changes.ts";
import { formatMoment, withLocalTimes } from "../words.ts";
import { type ChatLine, clean, plainText } from "./plain-text.ts";

/** Limit on changes per message. The number of the others is added. */
const shownAtMost = 5;

const characters = { principal: 60, sentence: 280, outcome: 280, key: 40 } as const;

/** A change that can be undone from its message. */
export interface Undoable {
  undoId: string;
  label: string;
}

/** Returns the changes that a message shows, newest first. */
function shownOf(changes: readonly RecentChange[]): readonly RecentChange[] {
  return changes.slice(-shownAtMost).toReversed();
}

/** Returns the changes that get a button: those that can still be undone. */
export function undoableOf(
  changes: readonly RecentChange[],
  outcomes: ReadonlyMap<string, string>,
): readonly Undoable[] {
  return shownOf(changes).flatMap(({ undo, key = "" }, index) => {
    if (undo?.state !== "possible" || outcomes.has(undo.undoId)) return [];
    const file = key.length > characters.key ? `…${key.slice(1 - characters.key)}` : key;
    const name = file === "" ? "" : `: ${file}`;
    const label = changes.length === 1 ? "Undo" : `Undo ${index + 1}${name}`;
    return [{ undoId: undo.undoId, label }];
  });
}

/** Formats changes with their undo times and outcomes. Only file names and client names are foreign text. */
export function changeMessage(
  changes: readonly RecentChange[],
  shownWith: {
    outcomes: ReadonlyMap<string, string>;
    buttons: readonly ChatButton[];
    /** The command as the user types it on the server's machine. */
    command: string;
  },
): MessengerMessage {
  const { outcomes, buttons, command } = shownWith;
  const shown = shownOf(changes);
  const lines: ChatLine[] = changes.length === 1 ? [] : [`${changes.length} changes.`];
  for (const [index, change] of shown.entries()) {
    const label = changes.length === 1 ? "" : String(index + 1);
    if (label !== "") lines.push("");
    lines.push({ label, value: formatChange(change) }, ...fate(change, outcomes));
  }
  const rest = changes.length - shown.length;
  if (rest > 0) lines.push("", { label: `${rest} more, listed by`, value: `${command} activity` });
  return { ...plainText(lines), buttons: buttons.map((button) => [button]) };
}

function formatChange({ client, principal, sentence }: RecentChange): string {
  const whose = principal === "local" ? "" : ` of ${clean(principal, characters.principal)}`;
  // The undo time has a line of its own.
  const what = withLocalTimes(sentence.replace(/, undo until \S+$/, ""));
  return `An assistant${whose} ${clean(what, characters.sentence)} (${quotedClient(client)})`;
}

function fate({ undo }: RecentChange, outcomes: ReadonlyMap<string, string>): ChatLine[] {
  if (undo === undefined) return [];
  const outcome = outcomes.get(undo.undoId);
  if (outcome !== undefined) return [{ label: "", value: clean(outcome, characters.outcome) }];
  switch (undo.state) {
    case "undone":
      return ["It has already been undone."];
    case "over":
      return [`It could be undone until ${formatMoment(undo.until)}.`];
    case "possible":
      return [`It can be undone until ${formatMoment(undo.until)}.`];
  }
}
