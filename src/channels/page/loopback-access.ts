import { randomBytes } from "node:crypto";
import type { Context } from "hono";
import { type Access, idleMs, isPageUpdate, mac, sha256 } from "./access.ts";
import { codeView, endedView } from "./entry-views.ts";
import { readForm } from "./read-form.ts";

/** Time from the browser's start to the first click. Milliseconds. */
const codeMs = 60_000;

export interface LoopbackAccess extends Access {
  /** Returns a path that admits one person once within 60 s. */
  newEntry(): string;
  /** Returns true if no session or code is left. */
  isDeserted(): boolean;
}

/**
 * Creates the access for a page on this computer. Browsers send cookies to every port of a host, so the session's
 * secret is part of the path instead. A code is exchanged by POST, because link previews and prefetching use GET.
 */
export function createLoopbackAccess(settings: {
  /** The operating system's name of the person at this computer. */
  person: string;
  /** The command as the user types it on this machine. */
  command: string;
  /** Called when a page goes away. */
  gone?: (() => void) | undefined;
  clock?: () => Date;
}): LoopbackAccess {
  const clock = settings.clock ?? (() => new Date());
  const key = randomBytes(32);
  // Both by hash, so that the lookup time reveals nothing about the secret.
  const codes = new Map<string, number>();
  const sessions = new Map<string, number>();
  const hashOf = (secret: string): string => sha256(secret).toString("hex");
  const secretOf = (context: Context): string => context.req.param("secret") ?? "";

  function dropLapsed(): void {
    const now = clock().getTime();
    for (const lapsing of [codes, sessions]) {
      for (const [hash, until] of lapsing) if (until <= now) lapsing.delete(hash);
    }
  }

  function isKnown(known: Map<string, number>, secret: string): boolean {
    dropLapsed();
    return known.has(hashOf(secret));
  }

  function keep(known: Map<string, number>, secret: string, ms: number): string {
    known.set(hashOf(secret), clock().getTime() + ms);
    return secret;
  }

  const newSecret = (): string => randomBytes(24).toString("base64url");

  return {
    root: "",
    route: "/s/:secret",
    referrerPolicy: "no-referrer",
    leaveWords: "Close this page",

    addRoutes: (app) => {
      app.get("/open/:secret", (context) =>
        isKnown(codes, secretOf(context))
          ? context.html(codeView(""))
          : context.html(endedView("", settings.command), 403),
      );
      app.post("/open/:secret", async (context) => {
        await readForm(context);
        if (!isKnown(codes, secretOf(context)))
          return context.html(endedView("", settings.command), 403);
        codes.delete(hashOf(secretOf(context)));
        return context.redirect(`/s/${keep(sessions, newSecret(), idleMs)}`, 303);
      });
      app.post("/s/:secret/gone", (context) => {
        if (isKnown(sessions, secretOf(context))) settings.gone?.();
        return context.body(null, 204);
      });
    },

    visitor: async (context) => {
      const secret = secretOf(context);
      if (!isKnown(sessions, secret)) return undefined;
      if (!isPageUpdate(context)) keep(sessions, secret, idleMs);
      return {
        name: settings.person,
        principal: undefined,
        base: `/s/${secret}`,
        nonce: (purpose) => mac(key, `${secret} ${purpose}`),
      };
    },

    turnAway: (context) => context.html(endedView("", settings.command), 403),

    leave: async (context) => {
      sessions.delete(hashOf(secretOf(context)));
      return "/ended";
    },

    newEntry: () => `/open/${keep(codes, newSecret(), codeMs)}`,

    isDeserted: () => {
      dropLapsed();
      return codes.size === 0 && sessions.size === 0;
    },
  };
}
