import { expect } from "vitest";
import { effectOf } from "../../src/core/approvals/effect.ts";
import type { Line } from "../../src/core/tool/tool.ts";
import { Secret } from "../../src/core/shared/secret.ts";
import type { Ticket, TicketRequest } from "../../src/core/approvals/ticket.ts";
import type { MailQuarantine } from "../../src/ports/mail/mail-quarantine.ts";
import { createApprovalPage } from "../../src/channels/page/approval-page.ts";
import { createLoopbackAccess } from "../../src/channels/page/loopback-access.ts";
import { createSignInAccess } from "../../src/channels/page/sign-in-access.ts";
import { request } from "../contract/ticket-fixtures.ts";
import { createFakeAuditRecord } from "./audit-record.ts";
import { createFakePageRecord } from "./page-record.ts";
import { quietLog } from "./quiet-log.ts";
import { createFakeRules } from "./rules.ts";
import { createFakeTickets } from "./tickets.ts";

export const origin = "http://127.0.0.1:4711";
export const publicOrigin = "https://ask.example.org";
export const secrets = { alice: "alice's own secret", bob: "bob's own secret", operator: "of all" };

const day = 86_400_000;

/** Creates an approval page over requests in memory, with a clock of the test and a visitor over plain HTTP. */
export function pageWorld(record = createFakePageRecord(), mail?: MailQuarantine) {
  let now = new Date("2026-03-01T12:00:00Z");
  const clock = () => now;
  const tickets = createFakeTickets(clock);
  const audit = createFakeAuditRecord();
  const access = createLoopbackAccess({ person: "maria", command: "countersign", clock });
  const rules = createFakeRules(clock);
  const stores = { tickets, audit, rules, log: quietLog, clock, record, ...(mail && { mail }) };
  const approvers = Object.entries(secrets).map(([name, text]) => ({
    name,
    secret: new Secret(text),
  }));
  const ended = new Set<string>();
  const signIn = createSignInAccess({
    approvers,
    key: new Uint8Array(32).fill(7),
    signOuts: { add: async (id) => void ended.add(id), has: async (id) => ended.has(id) },
    root: "/approvals",
    clock,
  });
  const loopback = createApprovalPage({ ...stores, command: "countersign", access, origin });
  const published = createApprovalPage({
    ...stores,
    command: "countersign",
    access: signIn,
    origin: publicOrigin,
  });

  return {
    tickets,
    audit,
    rules,
    access,
    pass: (ms: number) => (now = new Date(now.getTime() + ms)),
    open: async (fields: Partial<TicketRequest> = {}): Promise<Ticket> =>
      (await tickets.open(request(fields), day)).ticket,
    local: visitorOf(loopback, origin),
    published: visitorOf(published, publicOrigin),
    anybody: (sender?: string) => visitorOf(published, publicOrigin, sender),
  };
}

/** Makes an effect as the core does, for a tool of which only the title matters. The title is also the headline. */
export function effect(title: string, args: Record<string, unknown>, facts: Line[] = []) {
  const tool = { title, operation: "changes", mentions: [], describe: () => title } as const;
  return effectOf(tool, args, { headline: title, mentions: [], facts, forClient: "all" });
}

type Page = ReturnType<typeof createApprovalPage>;
export type Fields = Record<string, string>;

const sessionCookie = "__Host-countersign";

/** Sends a form as a browser does, with the changes that the test names. Keeps cookies. */
function visitorOf(page: Page, site: string, sender?: string) {
  const cookies = new Map<string, string>();
  let base = "/approvals";

  async function send(path: string, init: RequestInit, headers: Fields): Promise<Response> {
    const cookie = [...cookies].map((pair) => pair.join("=")).join("; ");
    const sent = { host: new URL(site).host, ...(cookie && { cookie }), ...headers };
    const asked = new Request(`${site}${path}`, { ...init, headers: sent });
    const response = await page.fetch(asked, sender);
    for (const set of response.headers.getSetCookie()) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(set) ?? [];
      if (value === "") cookies.delete(name);
      else cookies.set(name, value);
    }
    return response;
  }
  const get = (path: string, headers: Fields = {}) => send(path, {}, headers);
  const own = { origin: site, "sec-fetch-site": "same-origin" };
  /** Also with several fields of one name. */
  const postAll = (path: string, fields: string[][], headers: Fields = own) => {
    const body = new URLSearchParams(fields).toString();
    const type = { "content-type": "application/x-www-form-urlencoded" };
    return send(path, { method: "POST", body }, { ...type, ...headers });
  };

  const post = (path: string, fields: Fields, headers: Fields = own) =>
    postAll(path, Object.entries(fields), headers);

  return {
    get,
    post,
    postAll,
    ask: (method: string, path: string) => send(path, { method }, own),
    base: () => base,
    cookies,
    cookie: () => `${sessionCookie}=${cookies.get(sessionCookie) ?? ""}`,
    /** The visitor arrives with a code, as the redirect file contains it. */
    enter: async (entry: string) => {
      const response = await post(entry, {});
      expect(response.status).toBe(303);
      base = response.headers.get("location") ?? "";
    },
    signIn: (secret: string) => post("/approvals/sign-in", { secret }),
    list: async () => await (await get(base)).text(),
    /** The form of a request as the page shows it. */
    form: async (ticketId: string): Promise<Fields> => {
      const card = (await (await get(base)).text()).split(`id="${ticketId}"`)[1] ?? "";
      return { request: ticketId, nonce: /name="nonce"\s+value="([^"]+)"/.exec(card)?.[1] ?? "" };
    },
    /** The nonce of the form that posts there. */
    nonce: async (where: string): Promise<string> => {
      const html = (await (await get(base)).text()).split(`action="${base}/${where}"`)[1] ?? "";
      return /name="nonce"\s+value="([^"]+)"/.exec(html)?.[1] ?? "";
    },
    decide: (fields: Fields, headers?: Fields) => post(`${base}/decide`, fields, headers),
  };
}
