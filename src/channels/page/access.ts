import { createHash, createHmac, timingSafeEqual } from "node:crypto";
import type { Context, Hono } from "hono";

/** Idle time after which a session ends. Milliseconds. */
export const idleMs = 30 * 60_000;

/** Marks the page's own updates, which do not keep a session alive. */
const lookHeader = "x-countersign-look";

/** An authenticated person. */
export interface Visitor {
  /** Recorded with every decision. */
  name: string;
  /** The caller whose requests this person sees and decides. Undefined for all callers. */
  principal: string | undefined;
  /** The path of this person's page. */
  base: string;
  /** Returns the proof that a form came from this session's page. Each purpose has its own. */
  nonce(purpose: string): string;
}

/** Further facts about an HTTP request: see `fetch` in approval-page.ts. */
export interface PageEnv {
  sender?: string;
  proved?: (who: string) => void;
  /** The path of this visitor's page, as soon as the visitor is known. */
  base?: string;
}

/** How a person reaches the page: by a code on this computer, or by signing in. */
export interface Access {
  /** The path of style and script. */
  root: string;
  /** The route of a visitor's page. */
  route: string;
  /** `no-referrer` is for sessions without a cookie, whose URL is the secret and must not reach other pages. */
  referrerPolicy: "no-referrer" | "same-origin";
  /** The text of the button that ends the session. */
  leaveWords: string;
  /** Adds the routes that need no session. */
  addRoutes(app: Hono): void;
  /**
   * Returns the visitor of a request. Undefined if the session ended, for example because its passkey was removed. Keeps
   * the session alive, except for the page's own updates.
   */
  visitor(context: Context): Promise<Visitor | undefined>;
  /** Answers a request without a session. */
  turnAway(context: Context): Response | Promise<Response>;
  /**
   * Checks an approver's secret again, for actions that a session alone must not do. Undefined if this access has no
   * secrets.
   */
  confirm?: (
    context: Context<{ Bindings: PageEnv }>,
    secret: string,
  ) => Promise<{ name: string | undefined } | { waitSeconds: number }>;
  /** Ends the session and returns the URL to go to. */
  leave(context: Context): Promise<string>;
}

export function envOf(context: Context): PageEnv {
  return (context as Context<{ Bindings: PageEnv }>).env;
}

/** Returns whether the page's script sent the request to update the page. Such a request is no act of a person. */
export function isPageUpdate(context: Context): boolean {
  return context.req.header(lookHeader) !== undefined;
}

export function sha256(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}

export function mac(key: Uint8Array, text: string): string {
  return createHmac("sha256", key).update(text).digest("base64url");
}

/** Compares in constant time, independent of the lengths. */
export function isSame(given: string, expected: string): boolean {
  return timingSafeEqual(sha256(given), sha256(expected));
}

/** Returns whether a form has the proof that it came from this session's page, for this purpose. */
export function hasNonce(
  form: URLSearchParams | undefined,
  visitor: Visitor,
  purpose: string,
): boolean {
  return isSame(form?.get("nonce") ?? "", visitor.nonce(purpose));
}
