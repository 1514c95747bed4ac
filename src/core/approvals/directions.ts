import type { ApprovalChannel, AskingChannel } from "./ticket.ts";

/** The place of a decision in words, as `The user denied this at 14:02 on the approval page`. */
export const channelPlaces: Readonly<Record<ApprovalChannel, string>> = {
  elicitation: "in the client's dialog",
  page: "on the approval page",
  telegram: "in Telegram",
  terminal: "at the terminal",
  rule: "by a standing rule",
};

/** The names of the channels, in words. */
export const channelNames: Readonly<Record<AskingChannel, string>> = {
  elicitation: "the client's dialog",
  page: "the approval page",
  telegram: "Telegram",
  terminal: "the terminal",
};

/** The approval channels of this program besides the client's dialog. */
export interface ChannelsHere {
  /**
   * Returns how this caller's approvers reach the approval page: `window` if a browser opens on this machine, or the
   * address at which they sign in. Undefined if there is no page for them.
   */
  page(principal: string): "window" | { url: string } | undefined;
  /** Returns true if Telegram notifies an approver of this caller. */
  telegram(principal: string): boolean;
  /** The command of this program for a terminal: `countersign`, or `node /path/to/main.js`. */
  command: string;
  /** True if callers may be on other machines, so texts must name a terminal on the server's machine. */
  isRemote?: boolean;
}

/** The caller of a request, and the approval channels that the policy permits for it. */
export interface Asked {
  principal: string;
  channels: readonly AskingChannel[];
}

/** The words for each approval channel. */
interface Steps {
  /** How the page is reached if a browser opens on this machine. */
  window: string;
  telegram: string;
  /** The words of the command. */
  terminal: string;
}

const toDecide: Steps = {
  window: "that opens in the user's browser",
  telegram: "in Telegram",
  terminal: "approvals",
};

/**
 * Lists the approval channels for this request, each as a continuation of "The user can decide ...". Clients may see
 * the result, so it omits request ids and secrets.
 */
function placesOf(here: ChannelsHere, { principal, channels }: Asked, steps: Steps): string[] {
  const page = channels.includes("page") ? here.page(principal) : undefined;
  return [
    ...(page === "window" ? [`on the approval page ${steps.window}`] : []),
    ...(page !== undefined && page !== "window" ? [`on the approval page (${page.url})`] : []),
    ...(channels.includes("telegram") && here.telegram(principal) ? [steps.telegram] : []),
    ...(channels.includes("terminal") ? [inTerminal(here, steps.terminal)] : []),
  ];
}

function inTerminal({ command, isRemote }: ChannelsHere, words: string): string {
  return `in a terminal ${isRemote === true ? "on the server " : ""}with \`${command} ${words}\``;
}

/**
 * Returns where the user can decide a request: `on the approval page (https://...), in Telegram or in a terminal with
 * ...`.
 */
export function whereToDecide(here: ChannelsHere, asked: Asked): string | undefined {
  return joined(placesOf(here, asked, toDecide));
}

/** Returns the first channel that exists besides the dialog, as the end of `its title is ...`. Undefined if there is none. */
export function whereShown(here: ChannelsHere, { principal, channels }: Asked): string | undefined {
  if (channels.includes("page") && here.page(principal) !== undefined)
    return "on the approval page";
  if (channels.includes("telegram") && here.telegram(principal)) return "in Telegram";
  return channels.includes("terminal") ? shownBy(here) : undefined;
}

function shownBy({ command, isRemote }: ChannelsHere): string {
  return `shown ${isRemote === true ? "on the server " : ""}by \`${command} ${toDecide.terminal}\``;
}

const everywhere = ["page", "telegram", "terminal"] as const;

/**
 * Returns where the user can end a pause. No policy excludes an approval channel from this. A refused call does not
 * open the page, so the text names the command that does.
 */
export function whereToResume(here: ChannelsHere, principal: string): string {
  const steps = {
    window: `that \`${here.command} approvals open\` opens`,
    telegram: "in Telegram with /start",
    terminal: "approvals resume",
  };
  return joined(placesOf(here, { principal, channels: everywhere }, steps)) ?? "";
}

function joined(places: readonly string[]): string | undefined {
  if (places.length < 2) return places[0];
  return `${places.slice(0, -1).join(", ")} or ${places.at(-1)}`;
}
