import { randomBytes } from "node:crypto";
import type { Context } from "hono";
import { getCookie } from "hono/cookie";
import { z } from "zod";
import { type Approvers, approverOf } from "../terminal.ts";
import { type GuessLimit, createGuessLimit } from "../../core/network-limits/guess-limit.ts";
import type { PasskeySignIn } from "./access-page/passkey-sign-in.ts";
import { browserCookieName, knownBrowsers, tryNow } from "./access-page/known-browser.ts";
import { type Access, type PageEnv, idleMs, isPageUpdate, isSame, mac } from "./access.ts";
import type { SignOuts } from "../../ports/people/sign-outs.ts";
import { signInView } from "./entry-views.ts";
import { readForm } from "./read-form.ts";

/** `__Host-`: only over https, only from this host, for all its paths (RFC 6265bis, section 4.1.3.2). */
const cookieName = "__Host-countersign";
const cookieRules = "Path=/; Secure; HttpOnly; SameSite=Lax";

/** Sessions end after a working day. Milliseconds. */
const longestMs = 12 * 3_600_000;

const session = z.object({
  id: z.string(),
  name: z.string(),
  until: z.number(),
  end: z.number(),
  /** The passkey that opened it. A removed passkey ends its sessions, as on a stolen phone. */
  passkeyId: z.string().optional(),
});
type Session = z.output<typeof session>;

const signInPurpose = "sign-in";

/** The lifetime of that browser cookie, the longest that browsers allow. Seconds. */
const knownBrowserSeconds = 400 * 86_400;

/**
 * Creates the access for a page that many can reach. An approver's secret or passkey identifies the approver. A session
 * is a signed cookie, valid on every replica, and ends when the secret changes. Only a sign-out is stored.
 */
export function createSignInAccess(settings: {
  approvers: Approvers;
  /** Signs sessions and forms. The same for every replica. */
  key: Uint8Array;
  /** The path of the page: `/approvals`. */
  root: string;
  /** Counts wrong secrets. Shared with other places that accept secrets. */
  guesses?: GuessLimit;
  passkeys?: PasskeySignIn | undefined;
  signOuts: SignOuts;
  clock?: () => Date;
}): Access {
  const { approvers, root, passkeys, signOuts } = settings;
  const clock = settings.clock ?? (() => new Date());
  const guesses = settings.guesses ?? createGuessLimit(() => clock().getTime());
  const browsers = knownBrowsers(approvers, settings.key);

  /** Signs a text. The secret is part of it, so that a new secret ends the sessions of the old one. */
  function sign(text: string, name: string): string | undefined {
    const approver = approvers.find((known) => known.name === name);
    return approver && mac(settings.key, `${text} ${approver.secret.reveal()}`);
  }

  /** Returns the last session of this browser, even if it has ended. */
  function readLast(context: Context): Session | undefined {
    const [body = "", signature = ""] = getCookie(context, cookieName)?.split(".") ?? [];
    const known = session.safeParse(parsed(body));
    if (!known.success) return undefined;
    const expected = sign(`session ${body}`, known.data.name);
    return expected !== undefined && isSame(signature, expected) ? known.data : undefined;
  }

  function read(context: Context): Session | undefined {
    const known = readLast(context);
    if (known === undefined) return undefined;
    return clock().getTime() < Math.min(known.until, known.end) ? known : undefined;
  }

  /** Returns whether the session was ended before its time: by a sign-out, or by the removal of its passkey. */
  async function wasEnded({ id, name, passkeyId }: Session): Promise<boolean> {
    const [isSignedOut, own] = await Promise.all([
      signOuts.has(id),
      passkeyId === undefined ? undefined : (passkeys?.list(name) ?? []),
    ]);
    return isSignedOut || own?.every((each) => each.passkeyId !== passkeyId) === true;
  }

  function write(context: Context, value: Session): void {
    const body = Buffer.from(JSON.stringify(value)).toString("base64url");
    const cookie = `${body}.${sign(`session ${body}`, value.name) ?? ""}`;
    context.header("set-cookie", `${cookieName}=${cookie}; ${cookieRules}`);
  }

  /** Returns the approver who signed in with this browser before. A new secret invalidates this. */
  function knownBrowser(context: Context): { id: string; name: string } | undefined {
    return browsers.owner(getCookie(context, browserCookieName)) ?? readLast(context);
  }

  function rememberBrowser(context: Context, name: string): void {
    if (getCookie(context, browserCookieName) !== undefined && knownBrowser(context)?.name === name)
      return;
    const id = randomBytes(18).toString("base64url");
    const cookie = `${browserCookieName}=${browsers.signed(id, name)}`;
    const header = `${cookie}; Max-Age=${knownBrowserSeconds}; ${cookieRules}`;
    context.header("set-cookie", header, { append: true });
  }

  async function judge(
    context: Context<{ Bindings: PageEnv }>,
    prove: (heard: Approvers) => Promise<string | undefined> | string | undefined,
  ): Promise<{ name: string | undefined } | { waitSeconds: number }> {
    const by = { address: context.env.sender ?? "", browser: knownBrowser(context) };
    return await tryNow({ guesses, approvers, by, prove });
  }

  async function view(complaint?: string) {
    return signInView(root, { complaint, passkey: await passkeys?.ask(signInPurpose) });
  }

  async function signIn(context: Context<{ Bindings: PageEnv }>): Promise<Response> {
    const form = await readForm(context);
    const answer = form?.get("passkey") ?? "";
    let passkeyId: string | undefined;
    const judged = await judge(context, async (heard) => {
      if (answer === "") return approverOf(form?.get("secret") ?? "", heard);
      const known = await passkeys?.answeredBy(signInPurpose, answer);
      passkeyId = known?.passkeyId;
      return heard.find(({ name }) => name === known?.approver)?.name;
    });
    if ("waitSeconds" in judged) {
      const { waitSeconds } = judged;
      context.header("retry-after", String(waitSeconds));
      const text = `Too many tries. Wait ${waitSeconds} seconds, then try again.`;
      return context.html(await view(text), 429);
    }
    const { name } = judged;
    if (name === undefined) {
      const text =
        answer === ""
          ? "This is not an approver's secret."
          : "The passkey was not accepted. Try again, or use your secret.";
      return context.html(await view(text), 403);
    }
    context.env.proved?.(name);
    const now = clock().getTime();
    const id = randomBytes(18).toString("base64url");
    const ends = { until: now + idleMs, end: now + longestMs };
    write(context, { id, name, ...ends, ...(passkeyId !== undefined && { passkeyId }) });
    return context.redirect(root, 303);
  }

  return {
    root,
    route: root,
    referrerPolicy: "same-origin",
    leaveWords: "Sign out",
    addRoutes: (app) => void app.post(`${root}/sign-in`, signIn),

    visitor: async (context) => {
      const known = read(context);
      if (known === undefined || (await wasEnded(known))) return undefined;
      const { id, name } = known;
      if (!isPageUpdate(context)) write(context, { ...known, until: clock().getTime() + idleMs });
      rememberBrowser(context, name);
      return {
        name,
        principal: name === "operator" ? undefined : name,
        base: root,
        nonce: (purpose) => sign(`form ${id} ${purpose}`, name) ?? "",
      };
    },

    confirm: (context, secret) => judge(context, (heard) => approverOf(secret, heard)),

    turnAway: async (context) =>
      context.req.method === "POST"
        ? context.html(await view("Your session has ended. Nothing was done."), 403)
        : context.html(await view()),

    leave: async (context) => {
      const known = read(context);
      if (known !== undefined) {
        const left = known.end - clock().getTime();
        await signOuts.add(known.id, Math.ceil(left / 1000));
      }
      // Signing out removes both cookies, as on a shared computer. An expired session keeps the browser cookie.
      for (const name of [cookieName, browserCookieName])
        context.header("set-cookie", `${name}=; Max-Age=0; ${cookieRules}`, { append: true });
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
