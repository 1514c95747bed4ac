import { createServer } from "node:http";
import { getRequestListener } from "@hono/node-server";
import { describe, expect, inject, it, onTestFinished } from "vitest";
import type { Page } from "playwright-core";
import { startPageServer } from "../../src/app/page-server.ts";
import { createApprovalPage } from "../../src/review/page/approval-page.ts";
import { createSignInAccess } from "../../src/review/page/sign-in-access.ts";
import { Secret } from "../../src/core/secret.ts";
import type { Ticket, TicketRequest } from "../../src/core/ticket.ts";
import { request } from "../contract/ticket-fixtures.ts";
import { createFakeAuditLog } from "../fakes/audit-log.ts";
import { effect } from "../fakes/page-visit.ts";
import { quietLog } from "../fakes/quiet-log.ts";
import { createFakeTickets } from "../fakes/tickets.ts";
import { openChromium } from "../servers/chromium.ts";

const day = 86_400_000;
const hostile =
  '"><script>document.title="taken"</script><img src=x onerror=alert(1)>\u202Egnp\n<h1>';
const phone = { viewport: { width: 390, height: 844 } };

async function serveLocally() {
  const tickets = createFakeTickets();
  const server = await startPageServer({ tickets, audit: createFakeAuditLog() }, quietLog);
  onTestFinished(() => server.close());
  const open = async (fields: Partial<TicketRequest> = {}): Promise<Ticket> =>
    (await tickets.open(request(fields), day)).ticket;
  const statusOf = async (ticketId: string) => (await tickets.find(ticketId))?.status;
  return { tickets, server, open, statusOf };
}

const approve = (page: Page, ticket: Ticket) =>
  page.getByRole("button", {
    name: `Approve ${ticket.effect.title}, request ${ticket.fingerprint}`,
  });

describe.skipIf(inject("missingServers").includes("chromium"))("the page in a browser", () => {
  it("comes up by itself, and one press of a button approves", async () => {
    const { server, open, statusOf } = await serveLocally();
    const ticket = await open();
    const { page, errors } = await openChromium();
    await page.goto(server.newEntry());
    await approve(page, ticket).click();
    await page.getByText("Approved. It runs now").first().waitFor();
    expect(await statusOf(ticket.ticketId)).toBe("approved");
    // The reader of a screen reader hears what came of it first.
    expect(await page.evaluate(() => document.activeElement?.textContent)).toContain("Approved.");
    expect(errors).toEqual([]);
  });

  it("works without JavaScript, on a phone, in the dark", async () => {
    const { server, open, statusOf } = await serveLocally();
    const [first, second] = [await open(), await open({ fingerprint: "BBBB-CCCC" })];
    const { page, errors } = await openChromium({
      ...phone,
      javaScriptEnabled: false,
      colorScheme: "dark",
    });
    await page.goto(server.newEntry());
    await page.getByRole("button", { name: "Show the requests" }).click();
    await approve(page, first).click();
    await page
      .getByRole("button", { name: `request ${second.fingerprint}` })
      .last()
      .click();
    await page.getByText("Denied. Nothing was done.").waitFor();
    await page.getByRole("link", { name: "History" }).click();
    await page.getByRole("heading", { name: "What was decided" }).waitFor();
    await page.getByText("What was asked").click();
    expect(await page.getByText('"a.txt"').isVisible()).toBe(true);
    expect(await statusOf(first.ticketId)).toBe("approved");
    expect(await statusOf(second.ticketId)).toBe("denied");
    expect(errors).toEqual([]);
  });

  it("is worked by the keyboard alone, in the order in which it is read", async () => {
    const { server, open, statusOf } = await serveLocally();
    const ticket = await open();
    const { page } = await openChromium();
    await page.goto(server.newEntry());
    await approve(page, ticket).waitFor();
    const order: string[] = [];
    for (let tabs = 0; tabs < 9; tabs += 1) {
      await page.keyboard.press("Tab");
      order.push((await page.evaluate(() => document.activeElement?.textContent)) ?? "");
    }
    expect(order.map((text) => text.trim().split(/ (?=Delete a)/)[0])).toEqual([
      "Skip to the requests",
      "Requests",
      "History",
      "Approve",
      "Deny",
      "Look again",
      "Pause everything",
      "Close this page for good",
      expect.anything(),
    ]);
    await approve(page, ticket).focus();
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    await page.getByText("Denied. Nothing was done.").waitFor();
    expect(await statusOf(ticket.ticketId)).toBe("denied");
  });

  it("has a heading for each part, a name for each control and nothing wider than a phone", async () => {
    const { server, open } = await serveLocally();
    await open({
      effect: effect("Write a file", { key: `${"long".repeat(120)}`, other: hostile }),
    });
    await open({ fingerprint: "BBBB-CCCC" });
    const { page, errors } = await openChromium(phone);
    await page.goto(server.newEntry());
    await page.getByText("Waiting for you: 2").waitFor();
    const found = await page.evaluate(() => ({
      language: document.documentElement.lang,
      title: document.title,
      headings: Array.from(document.querySelectorAll("h1,h2,h3"), (node) => node.tagName).join(" "),
      ids: Array.from(document.querySelectorAll("[id]"), ({ id }) => id),
      references: Array.from(
        document.querySelectorAll("[aria-labelledby],[aria-describedby]"),
        (node) => node.getAttribute("aria-labelledby") ?? node.getAttribute("aria-describedby"),
      ),
      small: Array.from(document.querySelectorAll("button, nav a"))
        .map((node) => node.getBoundingClientRect())
        .filter(({ height }) => height < 40).length,
      tooWide: document.documentElement.scrollWidth > window.innerWidth,
      landmarks: ["header", "nav", "main", "footer"].every((tag) => document.querySelector(tag)),
      images: document.querySelectorAll("img, main script, main h1").length,
    }));
    expect(found).toMatchObject({
      language: "en",
      title: "2 waiting - Countersign",
      headings: "H1 H2 H3 H3 H2",
      small: 0,
      tooWide: false,
      landmarks: true,
      images: 0,
    });
    expect(new Set(found.ids).size).toBe(found.ids.length);
    for (const id of found.references) expect(found.ids).toContain(id);
    const names = await page
      .getByRole("button")
      .evaluateAll((all) => all.map((node) => node.textContent?.trim() ?? ""));
    expect(new Set(names).size).toBe(names.length);
    expect(names).not.toContain("");
    expect(errors).toEqual([]);
  });

  it.each(["light", "dark"] as const)("keeps text legible in the %s", async (colorScheme) => {
    const { server, tickets, open } = await serveLocally();
    const facts = [
      { label: "before", value: "one two" },
      { label: "after", value: "one three" },
    ];
    await open({ effect: effect("Change", { a: "b" }, facts), fingerprint: "AAAA-BBBB" });
    await tickets.pause("*", "maria");
    const { page } = await openChromium({ colorScheme });
    await page.goto(server.newEntry());
    await page.getByText("Waiting for you: 1").waitFor();
    expect(await worstContrast(page)).toBeGreaterThanOrEqual(4.5);
    await page.getByRole("button", { name: "Resume" }).click();
    await page.getByRole("button", { name: /^Approve/ }).waitFor();
    expect(await worstContrast(page)).toBeGreaterThanOrEqual(4.5);
  });

  it("adds a new request below, marks an old one where it stands, and moves nothing", async () => {
    const { server, tickets, open } = await serveLocally();
    const first = await open();
    const second = await open({ fingerprint: "BBBB-CCCC" });
    const { page, errors } = await openChromium();
    await page.goto(server.newEntry());
    await approve(page, second).waitFor();
    const placeOf = (ticket: Ticket) => page.locator(`#${ticket.ticketId}`).boundingBox();
    const before = await placeOf(first);
    await approve(page, second).focus();
    const third = await open({ fingerprint: "DDDD-EEEE" });
    await tickets.decide(second.ticketId, { verdict: "deny", door: "terminal", by: "max" }, 60_000);
    await approve(page, third).waitFor();
    await page.getByText("This waits no longer").waitFor();
    expect(await placeOf(first)).toEqual(before);
    const order = await page.locator("#cards > li").evaluateAll((all) => all.map(({ id }) => id));
    expect(order).toEqual([first.ticketId, second.ticketId, third.ticketId]);
    expect(await page.evaluate(() => document.activeElement?.id)).toBe(second.ticketId);
    expect(await page.getByRole("status").textContent()).toContain("new request");
    expect(await page.title()).toBe("2 waiting - Countersign");
    // What was added by script is as good as what was there: its form counts.
    await approve(page, third).click();
    await page.getByText("Approved. It runs now").first().waitFor();
    expect(errors).toEqual([]);
  });

  it("cannot be framed, nor posted to, by another page of this computer", async () => {
    const { server, open, statusOf } = await serveLocally();
    const ticket = await open();
    const { page } = await openChromium();
    await page.goto(server.newEntry());
    await approve(page, ticket).waitFor();
    const address = page.url();
    const nonce = await page.locator(`#${ticket.ticketId} [name=nonce]`).getAttribute("value");

    const evil = createServer((_request, response) => {
      response.setHeader("content-type", "text/html").end(`<iframe src="${address}"></iframe>
        <form method="post" action="${address}/decide" target="_blank" rel="opener">
          <input name="request" value="${ticket.ticketId}"><input name="nonce" value="${nonce}">
          <input name="verdict" value="approve"><button>Win</button></form>`);
    });
    await new Promise<void>((resolve) => evil.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => void evil.close());
    await page.goto(`http://127.0.0.1:${portOf(evil)}/`);
    expect(await page.frames()[1]?.content()).not.toContain(ticket.ticketId);
    const [answer] = await Promise.all([
      page.context().waitForEvent("page"),
      page.getByRole("button", { name: "Win" }).click(),
    ]);
    await answer.getByText("did not come from the approval page").waitFor();
    expect(await statusOf(ticket.ticketId)).toBe("pending");
  });

  it("signs an approver in, who decides and signs out", async () => {
    const tickets = createFakeTickets();
    const audit = createFakeAuditLog();
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => (server.close(), server.closeAllConnections()));
    const origin = `http://127.0.0.1:${portOf(server)}`;
    const approvers = [{ name: "alice", secret: new Secret("alice's own secret") }];
    const access = createSignInAccess({ approvers, key: new Uint8Array(32), root: "/approvals" });
    const handler = createApprovalPage({ tickets, audit, log: quietLog, access, origin });
    const listen = getRequestListener((sent) => handler.fetch(sent));
    server.on("request", (sent, response) => void listen(sent, response));
    const { ticket } = await tickets.open(request({ principal: "alice" }), day);

    const { page } = await openChromium(phone);
    await page.goto(`${origin}/approvals`);
    await page.getByLabel("Your secret").fill("not it");
    await page.keyboard.press("Enter");
    await page.getByRole("alert").getByText("That is not an approver's secret.").waitFor();
    await page.getByLabel("Your secret").fill("alice's own secret");
    await page.keyboard.press("Enter");
    await approve(page, ticket).click();
    await page.getByText("Approved. It runs now").first().waitFor();
    expect(await tickets.find(ticket.ticketId)).toMatchObject({ decision: { by: "alice" } });
    await page.getByRole("button", { name: "Sign out" }).click();
    await page.getByLabel("Your secret").waitFor();
    expect(await page.context().cookies()).toEqual([]);
  });
});

function portOf(server: ReturnType<typeof createServer>): number {
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("a port has a number");
  return address.port;
}

/** The least contrast of any text with what is painted behind it (WCAG 2.2, 1.4.3). */
function worstContrast(page: Page): Promise<number> {
  return page.evaluate(() => {
    const rgb = (color: string) => (color.match(/[\d.]+/g) ?? []).map(Number);
    const luminance = (color: string) => {
      const [r = 0, g = 0, b = 0] = rgb(color).map((channel) => {
        const part = channel / 255;
        return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
      });
      return 0.2126 * r + 0.7152 * g + 0.0722 * b;
    };
    const behind = (node: Element | null): string => {
      const color = node === null ? "rgb(255, 255, 255)" : getComputedStyle(node).backgroundColor;
      return node !== null && rgb(color)[3] === 0 ? behind(node.parentElement) : color;
    };
    const ratios = Array.from(document.querySelectorAll("body *"))
      .filter((node) =>
        Array.from(node.childNodes).some(
          (child) => child.nodeType === 3 && child.nodeValue?.trim(),
        ),
      )
      .map((node) => {
        const [light = 0, dark = 0] = [getComputedStyle(node).color, behind(node)]
          .map(luminance)
          .toSorted((a, b) => b - a);
        return (light + 0.05) / (dark + 0.05);
      });
    return Math.min(...ratios);
  });
}
