import type { GuessLimit } from "../../../core/network-limits/guess-limit.ts";
import type { Approvers } from "../../terminal.ts";
import { isSame, mac } from "../access.ts";

/** Identifies a browser that signed in before. It grants no access. */
export const browserCookieName = "__Host-countersign-browser";

/** A browser in which this approver signed in before. */
export interface KnownBrowser {
  id: string;
  name: string;
}

/** Signs and recognises the cookies of known browsers. A new secret of the approver invalidates them. */
export function knownBrowsers(approvers: Approvers, key: Uint8Array) {
  const macOf = (id: string, { secret }: Approvers[number]): string =>
    mac(key, `browser ${id} ${secret.reveal()}`);
  return {
    signed: (id: string, name: string): string => {
      const approver = approvers.find((known) => known.name === name);
      return `${id}.${approver === undefined ? "" : macOf(id, approver)}`;
    },
    owner: (cookie: string | undefined): KnownBrowser | undefined => {
      const [id = "", signature = ""] = cookie?.split(".") ?? [];
      const approver = approvers.find((each) => isSame(signature, macOf(id, each)));
      return approver && { id, name: approver.name };
    },
  };
}

/**
 * Returns the approver whom `prove` finds, or the time to wait. While others guess, a known browser has its own limit,
 * but only for its own approver. Otherwise an approver could use it to guess another approver's secret.
 */
export async function tryNow(settings: {
  guesses: GuessLimit;
  approvers: Approvers;
  by: { address: string; browser: KnownBrowser | undefined };
  prove: (heard: Approvers) => Promise<string | undefined> | string | undefined;
}): Promise<{ name: string | undefined } | { waitSeconds: number }> {
  const { guesses, approvers, by, prove } = settings;
  const { address, browser } = by;
  const paused = guesses.waitSeconds({ address }, "approver");
  const alone = paused === undefined ? undefined : browser;
  const waitSeconds = alone ? guesses.waitSeconds({ browser: alone.id }, "approver") : paused;
  if (waitSeconds !== undefined) return { waitSeconds };
  const heard = alone ? approvers.filter((each) => each.name === alone.name) : approvers;
  const name = await prove(heard);
  if (name === undefined) guesses.failed(alone ? { browser: alone.id } : { address }, "approver");
  return { name };
}
