import { randomBytes } from "node:crypto";
import type { Context } from "hono";
import { getCookie } from "hono/cookie";
import { z } from "zod";
import { type Approvers, approverOf } from "../terminal.ts";
import { type Access, idleMs, isOwnLook, isSame, mac } from "./access.ts";
import { signInView } from "./entry-views.ts";
import { readForm } from "./read-form.ts";
import { createTries } from "./tries.ts";

/** `__Host-`: only over https, only from this host, only for all of it (RFC 6265bis, section 4.1.3.2). */
const cookieName = "__Host-countersign";
const cookieRules = "Path=/; Secure; HttpOnly; SameSite=Lax";

/** After a day's work everybody signs in anew. Milliseconds. */
const longestMs = 12 * 3_600_000;

const session = z.object({ id: z.string(), name: z.string(), until: z.number(), end: z.number() });
type Session = z.output<typeof session>;

/** What the page is told of a request besides the request: see `fetch` of approval-page.ts. */
export interface SignInEnv {
  sender?: string;
}

/**
 * For a page that many can reach: whoever shows an approver's secret is that approver. A session is a signed cookie and no
 * row, so that every replica knows it; it ends when the secret is changed.
 */
export function createSignInAccess(settings: {
  approvers: Approvers;
  /** Signs sessions and forms; the same for every replica. */
  key: Uint8Array;
  /** Where the page lies: `/approvals`. */
  root: string;
  clock?: () => Date;
}): Access {
  const { approvers, root } = settings;
  const clock = settings.clock ?? (() => new Date());
  const tries = createTries(clock);
  const left = new Map<string, number>();

  /** With the secret in it, a new secret ends the sessions of the old one. */
  function sign(text: string, name: string): string | undefined {
    const approver = approvers.find((known) => known.name === name);
    return approver && mac(settings.key, `${text} ${approver.secret.reveal()}`);
  }

  function read(context: Context): Session | undefined {
    const [body = "", signature = ""] = getCookie(context, cookieName)?.split(".") ?? [];
    const known = session.safeParse(parsed(body));
    if (!known.success) return undefined;
    const { id, name, until, end } = known.data;
    const expected = sign(`session ${body}`, name);
    const now = clock().getTime();
    if (expected === undefined || !isSame(signature, expected)) return undefined;
    return now < Math.min(until, end) && !left.has(id) ? known.data : undefined;
  }

  function write(context: Context, value: Session): void {
    const body = Buffer.from(JSON.stringify(value)).toString("base64url");
    const cookie = `${body}.${sign(`session ${body}`, value.name) ?? ""}`;
    context.header("set-cookie", `${cookieName}=${cookie}; ${cookieRules}`);
  }

  async function signIn(context: Context<{ Bindings: SignInEnv }>): Promise<Response> {
    const given = (await readForm(context))?.get("secret") ?? "";
    const sender = context.env.sender ?? "";
    const pauseMs = tries.pauseOf(sender);
    if (pauseMs > 0) {
      const seconds = Math.ceil(pauseMs / 1000);
      context.header("retry-after", String(seconds));
      return context.html(
        signInView(root, `Too many tries. Wait ${seconds} seconds, then try again.`),
        429,
      );
    }
    const name = approverOf(given, approvers);
    if (name === undefined) {
      tries.failed(sender);
      return context.html(signInView(root, "That is not an approver's secret."), 403);
    }
    tries.succeeded(sender);
    const now = clock().getTime();
    const id = randomBytes(18).toString("base64url");
    write(context, { id, name, until: now + idleMs, end: now + longestMs });
    return context.redirect(root, 303);
  }

  return {
    root,
    route: root,
    referrerPolicy: "same-origin",
    leaveWords: "Sign out",
    addRoutes: (app) => void app.post(`${root}/sign-in`, signIn),

    visitor: (context) => {
      const known = read(context);
      if (known === undefined) return undefined;
      const { id, name } = known;
      if (!isOwnLook(context)) write(context, { ...known, until: clock().getTime() + idleMs });
      return {
        name,
        principal: name === "operator" ? undefined : name,
        base: root,
        nonce: (purpose) => sign(`form ${id} ${purpose}`, name) ?? "",
      };
    },

    turnAway: (context) =>
      context.req.method === "POST"
        ? context.html(signInView(root, "Your session is over. Nothing was done."), 403)
        : context.html(signInView(root)),

    leave: (context) => {
      const known = read(context);
      const now = clock().getTime();
      for (const [id, end] of left) if (end <= now) left.delete(id);
      if (known !== undefined) left.set(known.id, known.end);
      context.header("set-cookie", `${cookieName}=; Max-Age=0; ${cookieRules}`);
      return root;
    },
  };
}

function parsed(body: string): unknown {
  try {
    return JSON.parse(Buffer.from(body, "base64url").toString("utf8"));
  } catch {
    return undefined;
  }
}
