import type { ApprovalChannel, AskingChannel } from "./ticket.ts";

/** The place of a decision, in words. */
export const channelPlaces: Readonly<Record<ApprovalChannel, string>> = {
  elicitation: "in the program that asked",
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
   * How this caller's approvers reach the approval page: `window` if a browser opens on their machine, or the address
   * where they sign in. Undefined if they have no page.
   */
  page(principal: string): "window" | { url: string } | undefined;
  /** True if Telegram notifies an approver of this caller. */
  telegram(principal: string): boolean;
  /** The command of this program for a terminal: `countersign`, or `node /path/to/main.js`. */
  command: string;
}

/** The caller of a request, and the approval channels that the policy permits for it. */
export interface Asked {
  principal: string;
  channels: readonly AskingChannel[];
}

/**
 * Lists the approval channels for this request, each as a continuation of "The user can decide ...". Clients may see
 * the result, so it omits request ids and secrets.
 */
function placesOf(here: ChannelsHere, { principal, channels }: Asked, terminal: string): string[] {
  const page = channels.includes("page") ? here.page(principal) : undefined;
  return [
    ...(page === "window" ? ["on the approval page that opens in the user's browser"] : []),
    ...(page !== undefined && page !== "window" ? [`on the approval page (${page.url})`] : []),
    ...(channels.includes("telegram") && here.telegram(principal) ? ["in Telegram"] : []),
    ...(channels.includes("terminal")
      ? [`in a terminal with \`${here.command} ${terminal}\``]
      : []),
  ];
}

/**
 * Returns where the user can decide a request: `on the approval page (https://...), in Telegram or in a terminal with
 * ...`.
 */
export function whereToDecide(here: ChannelsHere, asked: Asked): string | undefined {
  return joined(placesOf(here, asked, "approvals"));
}

/** Returns the first channel that exists besides the dialog, in the words of the dialog. Undefined if there is none. */
export function whereShown(here: ChannelsHere, { principal, channels }: Asked): string | undefined {
  if (channels.includes("page") && here.page(principal) !== undefined)
    return "on the approval page";
  if (channels.includes("telegram") && here.telegram(principal)) return "in Telegram";
  return channels.includes("terminal")
    ? `in a terminal with \`${here.command} approvals\``
    : undefined;
}

const everywhere = ["page", "telegram", "terminal"] as const;

/** Returns where the user can end a pause. No policy excludes an approval channel from that. */
export function whereToResume(here: ChannelsHere, principal: string): string {
  const places = placesOf(here, { principal, channels: everywhere }, "approvals resume");
  return (
    joined(places.map((place) => (place === "in Telegram" ? "in Telegram with /start" : place))) ??
    ""
  );
}

function joined(places: readonly string[]): string | undefined {
  if (places.length < 2) return places[0];
  return `${places.slice(0, -1).join(", ")} or ${places.at(-1)}`;
}
