import type { AskingChannel } from "./ticket.ts";

/** The approval channels besides the client's dialog that exist where this program runs. */
export interface ChannelsHere {
  /**
   * How this caller's people reach the approval page: `window` if it opens in their browser by itself, an address if they sign
   * in there. Undefined without a page for them.
   */
  page(principal: string): "window" | { url: string } | undefined;
  /** Whether somebody who decides for this caller is asked in Telegram. */
  telegram(principal: string): boolean;
  /** This program as a person can type it in a terminal: `countersign`, or `node /path/to/main.js`. */
  command: string;
}

/** Whose requests, and which approval channels the policy lets decide them. */
export interface Asked {
  principal: string;
  channels: readonly AskingChannel[];
}

/**
 * The approval channels where this request can be decided here, each as it continues "The user can decide ...". It names no
 * request and carries no secret: everything in it may reach a client.
 */
function placesOf(here: ChannelsHere, { principal, channels }: Asked, terminal: string): string[] {
  const page = channels.includes("page") ? here.page(principal) : undefined;
  return [
    ...(page === "window" ? ["on the approval page, which opens in the user's browser"] : []),
    ...(page !== undefined && page !== "window" ? [`on the approval page (${page.url})`] : []),
    ...(channels.includes("telegram") && here.telegram(principal) ? ["in Telegram"] : []),
    ...(channels.includes("terminal")
      ? [`in a terminal with \`${here.command} ${terminal}\``]
      : []),
  ];
}

/** Where the user can decide a request: `on the approval page (https://...), in Telegram or in a terminal with ...`. */
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

/** Where the user lets everything go on that is paused. No policy closes an approval channel to that. */
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
