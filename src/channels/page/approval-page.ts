import { type Context, Hono } from "hono";
import type { AuditRecord } from "../../core/audit/audit.ts";
import type { Log } from "../../core/shared/log.ts";
import { setPause } from "../../core/approvals/pause.ts";
import type { RuleStore } from "../../core/policy/rules/rule-store.ts";
import { type TicketStatus, type Tickets, everybody } from "../../core/approvals/ticket.ts";
import { ToolError } from "../../core/tool/tool-error.ts";
import type { MailQuarantine } from "../../ports/mail/mail-quarantine.ts";
import type { ServerReviews } from "../../ports/upstream/server-reviews.ts";
import { type AccessRecord, createAccessPage } from "./access-page/access-routes.ts";
import { passkeyScript } from "./access-page/passkey-script.ts";
import { type Access, type PageEnv, type Visitor, envOf, hasNonce } from "./access.ts";
import { endedView, refusedView } from "./entry-views.ts";
import { guard } from "./guard.ts";
import { createHandlers } from "./handlers.ts";
import { accessView, historyView, leavePurpose, listView, titledView } from "./list-view.ts";
import { mayResume, ownScope, pausePurpose } from "./pause-view.ts";
import { type PageRecord, activity, recentlyDone, undoFromForm } from "./record-routes.ts";
import { quarantineLine, quarantinePage, releaseFromForm } from "./quarantine/quarantine-routes.ts";
import { readForm } from "./read-form.ts";
import {
  type DecidedRequests,
  decideFromForm,
  decideTicked,
  namedAtMost,
  visibleRequest,
} from "./requests/decision-routes.ts";
import { enterScript, liveScript } from "./scripts.ts";
import { noteFirstView, noteReported } from "./requests/seen.ts";
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
  mail?: MailQuarantine;
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
  const { inside, titled, acting, notOurs, frame } = createHandlers(access, {
    hasAccess: accessPage !== undefined,
    seen: options.seen,
  });
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

  app.get(route, inside(list));
  app.get(`${route}/history`, inside(history));
  app.get(
    `${route}/activity`,
    titled("Activity", (visitor) =>
      activity(record, visitor, { now: clock(), command: options.command }),
    ),
  );
  app.get(
    `${route}/quarantine`,
    titled("Quarantine", (visitor) => quarantinePage(options.mail, visitor)),
  );
  app.get(
    `${route}/servers`,
    titled("Servers", (visitor) => serversPage(options.servers, visitor)),
  );
  app.get(`${route}/access`, inside(showAccess));
  app.post(`${route}/access`, inside(changeAccess));
  app.post(`${route}/undo`, inside(undo));
  app.post(`${route}/seen`, inside(reportSeen));
  app.post(`${route}/leave`, inside(leave));
  app.post(
    `${route}/quarantine`,
    acting(async (form, visitor) => {
      const isReleased = await releaseFromForm(options.mail, visitor, {
        emailId: form.get("mail") ?? "",
        hasNonce: (purpose) => hasNonce(form, visitor, purpose),
      });
      return isReleased ? `${visitor.base}/quarantine` : undefined;
    }),
  );
  app.post(
    `${route}/servers`,
    acting(async (fields, visitor) => {
      const isReviewed = await reviewFromForm(options.servers, visitor, {
        fields,
        hasNonce: (purpose) => hasNonce(fields, visitor, purpose),
      });
      return isReviewed ? `${visitor.base}/servers` : undefined;
    }),
  );
  app.post(
    `${route}/decide`,
    acting(async (form, visitor) =>
      outcomesAt(visitor, await decideFromForm(options, visitor, form)),
    ),
  );
  app.post(
    `${route}/selection`,
    acting(async (form, visitor) =>
      outcomesAt(visitor, await decideTicked(options, visitor, form)),
    ),
  );
  app.post(`${route}/pause`, acting(pauseOrResume));
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
      .slice(0, namedAtMost)
      .map(async (id) => {
        const ticket = id === "" ? undefined : await visibleRequest(tickets, visitor, id);
        return ticket === undefined ? [] : [{ ticket, late }];
      });
  }

  async function history(context: Context, visitor: Visitor): Promise<Response> {
    const found = await tickets.list({ ...only(visitor), statuses: ended, limit: historyAtMost });
    return context.html(historyView(frame(visitor), found));
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

  async function pauseOrResume(
    form: URLSearchParams,
    visitor: Visitor,
  ): Promise<string | undefined> {
    const scope = form.get("scope") ?? ownScope(visitor);
    const pause = (await tickets.pauses()).find((each) => each.scope === scope);
    const isOurs = hasNonce(form, visitor, pausePurpose(scope, pause));
    if (!isOurs || !mayResume(visitor, scope)) return undefined;
    const paused = form.get("do") === "pause";
    await setPause(options, { scope, by: visitor.name, paused, channel: "page" });
    return visitor.base;
  }

  async function leave(context: Context, visitor: Visitor): Promise<Response> {
    const form = await readForm(context);
    if (!hasNonce(form, visitor, leavePurpose)) return notOurs(context, visitor);
    return context.redirect(await access.leave(context), 303);
  }

  return {
    fetch: async (request, sender = "", proved) =>
      await app.fetch(request, { sender, ...(proved && { proved }) } satisfies PageEnv),
  };
}

/** Returns the address of the list with the outcomes of these requests. */
function outcomesAt({ base }: Visitor, decided: DecidedRequests | undefined): string | undefined {
  if (decided === undefined) return undefined;
  const { seen, late } = decided;
  return `${base}?seen=${seen.join()}${late.length > 0 ? `&late=${late.join()}` : ""}`;
}
