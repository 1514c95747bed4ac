import { type Context, Hono } from "hono";
import type { AuditRecord } from "../../core/audit/audit.ts";
import { decideTicket, mayDecide } from "../../core/approvals/decide-ticket.ts";
import type { Log } from "../../core/shared/log.ts";
import { setPause } from "../../core/approvals/pause.ts";
import { approveAndAllowSimilar } from "../../core/policy/rules/allow-similar.ts";
import type { RuleStore } from "../../core/policy/rules/rule-store.ts";
import {
  type Ticket,
  type TicketStatus,
  type Tickets,
  everybody,
} from "../../core/approvals/ticket.ts";
import { ToolError } from "../../core/tool/tool-error.ts";
import type { MailReview } from "../../ports/mail/mail-review.ts";
import type { ServerReviews } from "../../ports/upstream/server-reviews.ts";
import { type AccessRecord, createAccessPage } from "./access-page/access-routes.ts";
import { passkeyScript } from "./access-page/passkey-script.ts";
import { type Access, type PageEnv, type Visitor, envOf, isSame } from "./access.ts";
import { decidePurpose, fitsReview } from "./review-view.ts";
import { endedView, refusedView } from "./entry-views.ts";
import { guard } from "./guard.ts";
import { accessView, historyView, leavePurpose, listView, titledView } from "./list-view.ts";
import { mayResume, ownScope, pausePurpose } from "./pause-view.ts";
import { type PageRecord, activity, recentlyDone, undoFromForm } from "./record-routes.ts";
import { quarantineLine, quarantinePage, releaseFromForm } from "./quarantine/quarantine-routes.ts";
import { type Said, readForm, decisionIn } from "./read-form.ts";
import { enterScript, liveScript } from "./scripts.ts";
import { noteFirstView, noteReported } from "./seen.ts";
import { reviewFromForm, serversLine, serversPage } from "./servers/server-routes.ts";
import { icon, style } from "./style.ts";

/** Requests per page. The oldest are decided first. */
const shownAtMost = 200;
const historyAtMost = 100;

const ended: readonly TicketStatus[] = ["done", "failed", "unknown", "denied", "expired"];

export interface ApprovalPageOptions {
  tickets: Tickets;
  audit: AuditRecord;
  rules: RuleStore;
  record: PageRecord;
  /** Programs and passkeys. Undefined if this page shows none. */
  accessRecord?: AccessRecord | undefined;
  /** The quarantine. Undefined if this page shows none. */
  mail?: MailReview;
  /** The reviews of upstream servers. Undefined if there are none. */
  servers?: ServerReviews;
  log: Log;
  /** The command as the user types it on this machine. */
  command: string;
  access: Access;
  /** Called on every request of a person's page, including its own updates. */
  seen?: () => void;
  /** `https://approvals.example.org`: the origin in the address bar. Only its own pages may post. */
  origin: string;
  /** Further accepted `Host` headers, in lower case with the port. */
  hosts?: readonly string[];
  clock?: () => Date;
}

export interface ApprovalPage {
  /**
   * Handles a request.
   * @param sender the client address, for counting wrong secrets
   * @param proved called when the session of the request is known
   */
  fetch(request: Request, sender?: string, proved?: (who: string) => void): Promise<Response>;
}

/** Creates the approval page as a web-standard handler. It decides requests and never runs a call. */
export function createApprovalPage(options: ApprovalPageOptions): ApprovalPage {
  const { tickets, record, access, log } = options;
  const { root, route } = access;
  const clock = options.clock ?? (() => new Date());
  const accessPage =
    options.accessRecord && createAccessPage(options.accessRecord, { ...options, ...access });
  // `strict: false`: with or without a slash at the end.
  const app = new Hono({ strict: false });
  app.use(guard({ ...access, origin: options.origin, hosts: options.hosts ?? [] }));

  const file = (type: string, text: string) => (context: Context) =>
    context.body(text, 200, { "content-type": `${type}; charset=utf-8` });
  app.get(`${root}/style.css`, file("text/css", style));
  app.get(`${root}/icon.svg`, file("image/svg+xml", icon));
  app.get(`${root}/live.js`, file("text/javascript", liveScript));
  app.get(`${root}/enter.js`, file("text/javascript", enterScript));
  app.get(`${root}/passkey.js`, file("text/javascript", passkeyScript));
  app.get(`${root}/ended`, (context) => context.html(endedView(root, options.command)));
  access.addRoutes(app);

  app.get(route, (context) => inside(context, list));
  app.get(`${route}/history`, (context) => inside(context, history));
  app.get(`${route}/activity`, (context) => inside(context, showActivity));
  app.get(`${route}/quarantine`, (context) => inside(context, showQuarantine));
  app.post(`${route}/quarantine`, (context) => inside(context, release));
  app.get(`${route}/servers`, (context) => inside(context, showServers));
  app.post(`${route}/servers`, (context) => inside(context, reviewServer));
  app.get(`${route}/access`, (context) => inside(context, showAccess));
  app.post(`${route}/access`, (context) => inside(context, changeAccess));
  app.post(`${route}/undo`, (context) => inside(context, undo));
  app.post(`${route}/decide`, (context) => inside(context, decide));
  app.post(`${route}/review`, (context) => inside(context, review));
  app.post(`${route}/seen`, (context) => inside(context, reportSeen));
  app.post(`${route}/pause`, (context) => inside(context, pauseOrResume));
  app.post(`${route}/leave`, (context) => inside(context, leave));
  app.notFound((context) => context.text("Not found.\n", 404));
  app.onError((thrown, context) => {
    const own = thrown instanceof ToolError;
    if (!own) log.error("the approval page failed", { cause: thrown });
    const text = own
      ? [thrown.message, thrown.hint].filter((part) => part !== undefined).join(" ")
      : "The server failed. Reload the page to see the request's current status.";
    const back = envOf(context).base ?? `${root}/`;
    return context.html(refusedView(root, text, back), own ? 409 : 500);
  });

  type Handler = (context: Context, visitor: Visitor) => Promise<Response>;

  async function inside(context: Context, handle: Handler): Promise<Response> {
    const visitor = await access.visitor(context);
    if (visitor === undefined) return access.turnAway(context);
    const env = envOf(context);
    env.proved?.(visitor.name);
    env.base = visitor.base;
    options.seen?.();
    return handle(context, visitor);
  }

  const frame = (visitor: Visitor) => ({
    root,
    visitor,
    leaveWords: access.leaveWords,
    hasAccess: accessPage !== undefined,
  });
  const only = ({ principal }: Visitor) => (principal === undefined ? {} : { principal });
  async function list(context: Context, visitor: Visitor): Promise<Response> {
    const { seen, late, undone } = context.req.query();
    const [waiting, underWay, pauses, recent, quarantine, servers, ...decided] = await Promise.all([
      tickets.list({ ...only(visitor), statuses: ["pending"], limit: shownAtMost }),
      tickets.list({ ...only(visitor), statuses: ["approved", "running"], limit: shownAtMost }),
      tickets.pauses(),
      recentlyDone(record, visitor, { now: clock(), undone }),
      quarantineLine(options.mail, visitor),
      serversLine(options.servers, visitor),
      ...outcomesOf(visitor, seen, false),
      ...outcomesOf(visitor, late, true),
    ]);
    await noteFirstView(tickets, context, waiting.toReversed());
    return context.html(
      listView(frame(visitor), {
        waiting: waiting.toReversed(),
        underWay: underWay.toReversed(),
        pauses: pauses.filter(({ scope }) => scope === everybody || mayResume(visitor, scope)),
        now: clock(),
        recent,
        quarantine,
        servers,
        decided: decided.flat(),
        nothingTicked: seen === "" && late === undefined,
      }),
    );
  }

  async function reportSeen(context: Context, visitor: Visitor): Promise<Response> {
    if (!(await noteReported(tickets, context, visitor))) return notOurs(context, visitor);
    return context.body(null, 204);
  }

  /** Returns the outcomes of the requests in a form. */
  function outcomesOf(visitor: Visitor, ids: string | undefined, late: boolean) {
    return (ids ?? "")
      .split(",")
      .slice(0, shownAtMost)
      .map(async (id) => {
        const ticket = id === "" ? undefined : await visible(visitor, id);
        return ticket === undefined ? [] : [{ ticket, late }];
      });
  }

  async function history(context: Context, visitor: Visitor): Promise<Response> {
    const found = await tickets.list({ ...only(visitor), statuses: ended, limit: historyAtMost });
    return context.html(historyView(frame(visitor), found));
  }

  async function showActivity(context: Context, visitor: Visitor): Promise<Response> {
    const shown = { now: clock(), command: options.command };
    const body = await activity(record, visitor, shown);
    return context.html(titledView(frame(visitor), "Activity", body));
  }

  async function showQuarantine(context: Context, visitor: Visitor): Promise<Response> {
    const body = await quarantinePage(options.mail, visitor);
    return body === undefined
      ? notOurs(context, visitor)
      : context.html(titledView(frame(visitor), "Quarantine", body));
  }

  async function release(context: Context, visitor: Visitor): Promise<Response> {
    const form = await readForm(context);
    const isOurs = await releaseFromForm(options.mail, visitor, {
      emailId: form?.get("mail") ?? "",
      hasNonce: (purpose) => hasNonce(form, visitor, purpose),
    });
    if (!isOurs) return notOurs(context, visitor);
    return context.redirect(`${visitor.base}/quarantine`, 303);
  }

  async function showServers(context: Context, visitor: Visitor): Promise<Response> {
    const body = await serversPage(options.servers, visitor);
    return body === undefined
      ? notOurs(context, visitor)
      : context.html(titledView(frame(visitor), "Servers", body));
  }

  async function reviewServer(context: Context, visitor: Visitor): Promise<Response> {
    const fields = (await readForm(context)) ?? new URLSearchParams();
    const isOurs = await reviewFromForm(options.servers, visitor, {
      fields,
      hasNonce: (purpose) => hasNonce(fields, visitor, purpose),
    });
    if (!isOurs) return notOurs(context, visitor);
    return context.redirect(`${visitor.base}/servers`, 303);
  }

  async function showAccess(context: Context, visitor: Visitor): Promise<Response> {
    if (accessPage === undefined) return notOurs(context, visitor);
    return context.html(accessView(frame(visitor), await accessPage.show(visitor)));
  }

  async function changeAccess(context: Context, visitor: Visitor): Promise<Response> {
    const form = await readForm(context);
    if (form === undefined || accessPage === undefined) return notOurs(context, visitor);
    const changed = await accessPage.change(context as Context<{ Bindings: PageEnv }>, visitor, {
      form,
      hasNonce: (purpose) => hasNonce(form, visitor, purpose),
    });
    if (changed.kind === "not ours") return notOurs(context, visitor);
    if (changed.kind === "done") return context.redirect(`${visitor.base}/access`, 303);
    const body = await accessPage.show(visitor, changed.complaint);
    return context.html(accessView(frame(visitor), body), changed.status);
  }

  async function undo(context: Context, visitor: Visitor): Promise<Response> {
    const form = await readForm(context);
    const change = form?.get("change") ?? "";
    const outcome = await undoFromForm(record, visitor, {
      change,
      version: form?.get("version") ?? null,
      hasNonce: (purpose) => hasNonce(form, visitor, purpose),
    });
    if (outcome === "not ours") return notOurs(context, visitor);
    if (outcome !== "done")
      return context.html(titledView(frame(visitor), "Activity", outcome.question), 409);
    return context.redirect(`${visitor.base}?undone=${change}`, 303);
  }

  /** Returns a request that this visitor may see. A request of another caller counts as absent. */
  async function visible(visitor: Visitor, id: string | undefined): Promise<Ticket | undefined> {
    const ticket = id === undefined ? undefined : await tickets.find(id);
    const may = visitor.principal === undefined || mayDecide(visitor.name, ticket?.principal ?? "");
    return may ? ticket : undefined;
  }

  async function decide(context: Context, visitor: Visitor): Promise<Response> {
    const form = await readForm(context);
    const ticket = await visible(visitor, form?.get("request") ?? undefined);
    if (
      form === undefined ||
      ticket === undefined ||
      !hasNonce(form, visitor, decidePurpose(ticket.ticketId))
    ) {
      return notOurs(context, visitor);
    }
    const { ticketId } = ticket;
    const channel = { channel: "page", by: visitor.name } as const;
    const said = decisionIn(form);
    const isSimilar = form.get("verdict") === "similar";
    if (said === undefined && !isSimilar) return notOurs(context, visitor);
    const { won } =
      said === undefined
        ? await approveAndAllowSimilar(options, ticketId, channel)
        : await decideTicket(options, ticketId, { ...said, ...channel });
    return context.redirect(`${visitor.base}?${won ? "seen" : "late"}=${ticketId}`, 303);
  }

  /** Decides every ticked request with the proof of its own box. One foreign proof invalidates the whole form. */
  async function review(context: Context, visitor: Visitor): Promise<Response> {
    const form = await readForm(context);
    const said = form && decisionIn(form);
    if (form === undefined || said === undefined) return notOurs(context, visitor);
    const ticketIds: string[] = [];
    for (const proof of new Set(form.getAll("ticked").slice(0, shownAtMost))) {
      const [ticketId = "", nonce = ""] = proof.split(" ");
      const ticket = await visible(visitor, ticketId);
      const isOurs = isSame(nonce, visitor.nonce(decidePurpose(ticketId)));
      if (ticket === undefined || !isOurs || !fitsReview(ticket)) return notOurs(context, visitor);
      ticketIds.push(ticketId);
    }
    const decided: Record<"seen" | "late", string[]> = { seen: [], late: [] };
    for (const ticketId of ticketIds) {
      const isDecided = await decideOne(ticketId, said, visitor);
      decided[isDecided ? "seen" : "late"].push(ticketId);
    }
    const query = `seen=${decided.seen.join()}${decided.late.length > 0 ? `&late=${decided.late.join()}` : ""}`;
    return context.redirect(`${visitor.base}?${query}`, 303);
  }

  /** Decides one request. Returns false if another decision came first. The other requests are decided in any case. */
  async function decideOne(ticketId: string, said: Said, { name: by }: Visitor): Promise<boolean> {
    try {
      return (await decideTicket(options, ticketId, { ...said, channel: "page", by })).won;
    } catch (thrown) {
      if (!(thrown instanceof ToolError)) throw thrown;
      return false;
    }
  }

  async function pauseOrResume(context: Context, visitor: Visitor): Promise<Response> {
    const form = await readForm(context);
    const scope = form?.get("scope") ?? ownScope(visitor);
    const pause = (await tickets.pauses()).find((each) => each.scope === scope);
    const isOurs = hasNonce(form, visitor, pausePurpose(scope, pause));
    if (!isOurs || !mayResume(visitor, scope)) return notOurs(context, visitor);
    const paused = form?.get("do") === "pause";
    await setPause(options, { scope, by: visitor.name, paused, channel: "page" });
    return context.redirect(visitor.base, 303);
  }

  async function leave(context: Context, visitor: Visitor): Promise<Response> {
    const form = await readForm(context);
    if (!hasNonce(form, visitor, leavePurpose)) return notOurs(context, visitor);
    return context.redirect(await access.leave(context), 303);
  }

  function hasNonce(form: URLSearchParams | undefined, visitor: Visitor, purpose: string): boolean {
    return isSame(form?.get("nonce") ?? "", visitor.nonce(purpose));
  }

  function notOurs(context: Context, { base }: Visitor): Response | Promise<Response> {
    const text = "This form is not from this page, or it is out of date. Nothing was decided.";
    return context.html(refusedView(root, text, base), 403);
  }

  return {
    fetch: async (request, sender = "", proved) =>
      await app.fetch(request, { sender, ...(proved && { proved }) } satisfies PageEnv),
  };
}
