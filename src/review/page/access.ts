import { createHash, createHmac, timingSafeEqual } from "node:crypto";
import type { Context, Hono } from "hono";

/** Nobody looked for so long: the person has gone. Milliseconds. */
export const idleMs = 30 * 60_000;

/** The page asks for news by itself; such a look is not a person's and keeps no session alive. */
const lookHeader = "x-countersign-look";

/** A person who has shown who they are. */
export interface Visitor {
  /** Recorded with every decision. */
  name: string;
  /** Whose requests this person sees and decides; undefined means everybody's. */
  principal: string | undefined;
  /** The path under which this person's page lies. */
  base: string;
  /** Proof that a form came from the page of this session: one for each thing that a form can do. */
  nonce(purpose: string): string;
}

/** What the page is told of a request besides the request: see `fetch` of approval-page.ts. */
export interface PageEnv {
  sender?: string;
  proved?: (who: string) => void;
}

/** How a person gets to the page: through a code on this computer, or by signing in. */
export interface Access {
  /** Where style and script lie. */
  root: string;
  /** The route under which a visitor's page lies. */
  route: string;
  /** Without a cookie the address is the secret, and no other page may learn it. */
  referrerPolicy: "no-referrer" | "same-origin";
  /** How to leave, in the words on the button. */
  leaveWords: string;
  /** Adds what a person without a session may ask for. */
  addRoutes(app: Hono): void;
  /** Who this is. Keeps the session alive unless the page asks by itself. */
  visitor(context: Context): Visitor | undefined;
  /** What somebody sees who has no session. */
  turnAway(context: Context): Response | Promise<Response>;
  /** Ends the session, and says where to go. */
  leave(context: Context): string;
}

export function isOwnLook(context: Context): boolean {
  return context.req.header(lookHeader) !== undefined;
}

export function sha256(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}

export function mac(key: Uint8Array, text: string): string {
  return createHmac("sha256", key).update(text).digest("base64url");
}

/** In constant time, whatever the lengths. */
export function isSame(given: string, expected: string): boolean {
  return timingSafeEqual(sha256(given), sha256(expected));
}
