import { type Context, Hono } from "hono";
import type { AuditLog } from "../../core/audit.ts";
import { decideTicket, mayDecide } from "../../core/decide-ticket.ts";
import type { Log } from "../../core/log.ts";
import { setPause } from "../../core/pause.ts";
import { type Ticket, type TicketStatus, type Tickets, everybody } from "../../core/ticket.ts";
import { ToolError } from "../../core/tool-error.ts";
import { type Access, type Visitor, isSame } from "./access.ts";
import { decidePurpose } from "./card.ts";
import { endedView, refusedView } from "./entry-views.ts";
import { guard } from "./guard.ts";
import { historyView, leavePurpose, listView, pausePurpose } from "./list-view.ts";
import { readForm } from "./read-form.ts";
import { enterScript, liveScript } from "./scripts.ts";
import { style } from "./style.ts";

/** Requests on one page; nobody reads more, and the oldest are decided first. */
const shownAtMost = 200;
const historyAtMost = 100;

const ended: readonly TicketStatus[] = ["done", "failed", "unknown", "denied", "expired"];

export interface ApprovalPageOptions {
  tickets: Tickets;
  audit: AuditLog;
  log: Log;
  access: Access;
  /** `https://approvals.example.org`: what people see in the address bar. Only its own pages may post. */
  origin: string;
  /** Further `Host` headers that are answered, in lower case and with the port. */
  hosts?: readonly string[];
  clock?: () => Date;
}

export interface ApprovalPage {
  /** `sender`: the address of the socket, by which wrong secrets are counted. */
  fetch(request: Request, sender?: string): Promise<Response>;
}

/** The approval page as a web-standard handler. It decides and never runs anything. */
export function createApprovalPage(options: ApprovalPageOptions): ApprovalPage {
  const { tickets, access, log } = options;
  const { root, route } = access;
  const clock = options.clock ?? (() => new Date());
  // `strict: false`: with or without a slash at the end.
  const app = new Hono({ strict: false });
  app.use(guard({ ...access, origin: options.origin, hosts: options.hosts ?? [] }));

  const file = (type: string, text: string) => (context: Context) =>
    context.body(text, 200, { "content-type": `${type}; charset=utf-8` });
  app.get(`${root}/style.css`, file("text/css", style));
  app.get(`${root}/live.js`, file("text/javascript", liveScript));
  app.get(`${root}/enter.js`, file("text/javascript", enterScript));
  app.get(`${root}/ended`, (context) => context.html(endedView(root)));
  access.addRoutes(app);

  app.get(route, (context) => inside(context, list));
  app.get(`${route}/history`, (context) => inside(context, history));
  app.post(`${route}/decide`, (context) => inside(context, decide));
  app.post(`${route}/pause`, (context) => inside(context, pauseOrResume));
  app.post(`${route}/leave`, (context) => inside(context, leave));
  app.notFound((context) => context.text("There is nothing at this address.\n", 404));
  app.onError((thrown, context) => {
    const own = thrown instanceof ToolError;
    if (!own) log.error("the approval page failed", { cause: thrown });
    const text = own ? thrown.message : "The server failed. Look again how the request stands.";
    const back = access.visitor(context)?.base ?? `${root}/`;
    return context.html(refusedView(root, text, back), own ? 409 : 500);
  });

  type Handler = (context: Context, visitor: Visitor) => Promise<Response>;

  async function inside(context: Context, handle: Handler): Promise<Response> {
    const visitor = access.visitor(context);
    return visitor === undefined ? access.turnAway(context) : handle(context, visitor);
  }

  const frame = (visitor: Visitor) => ({ root, visitor, leaveWords: access.leaveWords });
  const only = ({ principal }: Visitor) => (principal === undefined ? {} : { principal });
  const scopeOf = ({ principal }: Visitor): string => principal ?? everybody;

  async function list(context: Context, visitor: Visitor): Promise<Response> {
    const { seen, late } = context.req.query();
    const [waiting, underWay, pause, decided] = await Promise.all([
      tickets.list({ ...only(visitor), statuses: ["pending"], limit: shownAtMost }),
      tickets.list({ ...only(visitor), statuses: ["approved", "running"], limit: shownAtMost }),
      tickets.pauseOf(scopeOf(visitor)),
      visible(visitor, late ?? seen),
    ]);
    return context.html(
      listView(frame(visitor), {
        waiting: waiting.toReversed(),
        underWay: underWay.toReversed(),
        pause,
        now: clock(),
        decided: decided && { ticket: decided, late: late !== undefined },
      }),
    );
  }

  async function history(context: Context, visitor: Visitor): Promise<Response> {
    const found = await tickets.list({ ...only(visitor), statuses: ended, limit: historyAtMost });
    return context.html(historyView(frame(visitor), found));
  }

  /** A request that is another's is as absent as one that never was. */
  async function visible(visitor: Visitor, id: string | undefined): Promise<Ticket | undefined> {
    const ticket = id === undefined ? undefined : await tickets.find(id);
    const may = visitor.principal === undefined || mayDecide(visitor.name, ticket?.principal ?? "");
    return may ? ticket : undefined;
  }

  async function decide(context: Context, visitor: Visitor): Promise<Response> {
    const form = await readForm(context);
    const ticket = await visible(visitor, form?.get("request") ?? undefined);
    const verdict = form?.get("verdict");
    if (ticket === undefined || !hasNonce(form, visitor, decidePurpose(ticket.ticketId))) {
      return notOurs(context, visitor);
    }
    if (verdict !== "approve" && verdict !== "deny") return notOurs(context, visitor);
    const { ticketId } = ticket;
    const { won } = await decideTicket(options, ticketId, {
      verdict,
      door: "page",
      by: visitor.name,
    });
    return context.redirect(`${visitor.base}?${won ? "seen" : "late"}=${ticketId}`, 303);
  }

  async function pauseOrResume(context: Context, visitor: Visitor): Promise<Response> {
    const form = await readForm(context);
    const scope = scopeOf(visitor);
    const pause = await tickets.pauseOf(scope);
    if (!hasNonce(form, visitor, pausePurpose(pause))) return notOurs(context, visitor);
    await setPause(options, { scope, by: visitor.name, paused: form?.get("do") === "pause" });
    return context.redirect(visitor.base, 303);
  }

  async function leave(context: Context, visitor: Visitor): Promise<Response> {
    const form = await readForm(context);
    if (!hasNonce(form, visitor, leavePurpose)) return notOurs(context, visitor);
    return context.redirect(access.leave(context), 303);
  }

  function hasNonce(form: URLSearchParams | undefined, visitor: Visitor, purpose: string): boolean {
    return isSame(form?.get("nonce") ?? "", visitor.nonce(purpose));
  }

  function notOurs(context: Context, { base }: Visitor): Response | Promise<Response> {
    const text = "This form is not one of this page, or it is out of date. Nothing was decided.";
    return context.html(refusedView(root, text, base), 403);
  }

  return { fetch: async (request, sender = "") => await app.fetch(request, { sender }) };
}
