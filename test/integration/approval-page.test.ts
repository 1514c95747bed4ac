import { createServer } from "node:http";
import { getRequestListener } from "@hono/node-server";
import { describe, expect, inject, it, onTestFinished } from "vitest";
import { createApprovalPage } from "../../src/channels/page/approval-page.ts";
import { createSignInAccess } from "../../src/channels/page/sign-in-access.ts";
import { Secret } from "../../src/core/shared/secret.ts";
import type { Ticket } from "../../src/core/approvals/ticket.ts";
import { request } from "../contract/ticket-fixtures.ts";
import { createFakeAuditRecord } from "../fakes/audit-record.ts";
import { createFakePageRecord } from "../fakes/page-record.ts";
import { quietLog } from "../fakes/quiet-log.ts";
import { createFakeRules } from "../fakes/rules.ts";
import { createFakeTickets } from "../fakes/tickets.ts";
import { openChromium } from "../servers/chromium.ts";
import { approve, day, phone, serveLocally } from "./page-in-browser.ts";

describe.skipIf(inject("missingServers").includes("chromium"))("the page in a browser", () => {
  it("opens automatically, and one press of a button approves", async () => {
    const { server, open, statusOf } = await serveLocally();
    const ticket = await open();
    const { page, errors } = await openChromium();
    await page.goto(server.newEntry());
    await approve(page, ticket).click();
    await page.getByText("Approved. It runs now").first().waitFor();
    expect(await statusOf(ticket.ticketId)).toBe("approved");
    // A screen reader reads the outcome first.
    expect(await page.evaluate(() => document.activeElement?.textContent)).toContain("Approved.");
    expect(errors).toEqual([]);
  });

  // After a tab was closed, requests stayed without a page for more than a minute.
  it("says that it was closed", async () => {
    const told: string[] = [];
    const { server, open } = await serveLocally(undefined, {
      note: () => void told.push("seen"),
      noteGone: () => void told.push("gone"),
      mayOpen: async () => false,
    });
    const ticket = await open();
    const { page, errors } = await openChromium();
    const other = await page.context().newPage();
    await other.goto(server.newEntry());
    await approve(other, ticket).waitFor();
    expect(told.at(-1)).toBe("seen");
    await other.close();
    await expect.poll(() => told.at(-1)).toBe("gone");
    expect(errors).toEqual([]);
  });

  it("works without JavaScript, on a phone, in dark mode", async () => {
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
    await page.getByRole("heading", { name: "History" }).waitFor();
    await page.locator("summary", { hasText: "The request" }).click();
    expect(await page.getByText("5 bytes").isVisible()).toBe(true);
    expect(await statusOf(first.ticketId)).toBe("approved");
    expect(await statusOf(second.ticketId)).toBe("denied");
    expect(errors).toEqual([]);
  });

  it("shows a box for each of more than five requests, on a phone and without JavaScript [fatigue.selection]", async () => {
    const { server, open, statusOf } = await serveLocally();
    const adding = { ...request().effect, title: "Write a file", operation: "changes" as const };
    const removing = { ...request().effect, operation: "removes" as const };
    const all = [];
    for (let number = 0; number < 6; number += 1) {
      all.push(await open({ effect: adding, fingerprint: `AAAA-BBB${number + 2}` }));
    }
    const removal = await open({ effect: removing, fingerprint: "CCCC-DDDD" });
    const { page, errors } = await openChromium({ ...phone, javaScriptEnabled: false });
    await page.goto(server.newEntry());
    await page.getByRole("button", { name: "Show the requests" }).click();
    const boxes = page.getByRole("checkbox");
    expect(await boxes.count()).toBe(6);
    expect(await page.getByRole("checkbox", { checked: true }).count()).toBe(0);
    await boxes.nth(0).check();
    await page.getByRole("checkbox", { name: "request AAAA-BBB4" }).check();
    await page.getByRole("button", { name: "Approve the selected" }).click();
    await page.getByText("Approved. It runs now").first().waitFor();
    expect(await Promise.all(all.map(({ ticketId }) => statusOf(ticketId)))).toEqual([
      "approved",
      "pending",
      "approved",
      "pending",
      "pending",
      "pending",
    ]);
    await approve(page, removal).click();
    await page.getByText("Approved. It runs now").first().waitFor();
    expect(await statusOf(removal.ticketId)).toBe("approved");
    const width = await page.evaluate(() => document.documentElement.scrollWidth);
    expect(width).toBeLessThanOrEqual(phone.viewport.width);
    expect(errors).toEqual([]);
  });

  it("asks for a reload once requests can be decided together, and moves nothing [fatigue.selection]", async () => {
    const { server, open } = await serveLocally();
    const effect = { ...request().effect, operation: "adds" as const };
    for (let number = 0; number < 5; number += 1) await open({ effect });
    const { page } = await openChromium();
    await page.goto(server.newEntry());
    await page.getByText("Waiting for you: 5").waitFor();
    await open({ effect });
    await page.getByText("Waiting for you: 6. Reload to decide them together.").waitFor();
    expect(await page.locator("#cards > li").count()).toBe(5);
    await page.getByRole("link", { name: "Reload" }).click();
    await page.getByRole("button", { name: "Deny the selected" }).waitFor();
    expect(await page.getByRole("checkbox").count()).toBe(6);
  });

  it("adds a new request below, marks an ended one in place, and moves nothing", async () => {
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
    await tickets.decide(
      second.ticketId,
      { verdict: "deny", channel: "terminal", by: "max" },
      60_000,
    );
    await approve(page, third).waitFor();
    await page.getByText("This request was decided elsewhere").waitFor();
    expect(await placeOf(first)).toEqual(before);
    const order = await page.locator("#cards > li").evaluateAll((all) => all.map(({ id }) => id));
    expect(order).toEqual([first.ticketId, second.ticketId, third.ticketId]);
    expect(await page.evaluate(() => document.activeElement?.id)).toBe(second.ticketId);
    expect(await page.getByRole("status").textContent()).toContain("new request");
    expect(await page.title()).toBe("2 waiting - Countersign");
    // The form of a request that a script added works like the others.
    await approve(page, third).click();
    await page.getByText("Approved. It runs now").first().waitFor();
    expect(errors).toEqual([]);
  });

  // A page whose server had ended looked as before, and its buttons led to the browser's own error.
  it("says that the server does not answer, until it answers again", async () => {
    const { server, open } = await serveLocally();
    const ticket = await open();
    const { page } = await openChromium();
    await page.clock.install();
    await page.goto(server.newEntry());
    await approve(page, ticket).waitFor();
    const after = (said: RegExp) =>
      expect
        .poll(async () => {
          await page.clock.runFor(3_000);
          return [await page.locator("#waiting").textContent(), await page.title()].join();
        })
        .toMatch(said);
    await page.context().setOffline(true);
    await after(/Waiting for you: 1. The server does not answer now.,No answer/);
    expect(await page.getByRole("status").textContent()).toContain("out of date");
    await page.context().setOffline(false);
    await after(/Waiting for you: 1\s*,1 waiting/);
    expect(await page.getByRole("status").textContent()).toBe("The server answers again.");
  });

  it("counts only requests in view of a person who uses the page as seen [fatigue.flood]", async () => {
    const { server, tickets, open } = await serveLocally();
    const { page, errors } = await openChromium();
    await page.goto(server.newEntry());
    await page.getByText("No requests are waiting").waitFor();
    const flood: string[] = [];
    for (let number = 0; number < 20; number += 1) flood.push((await open()).ticketId);
    const seen = async (): Promise<string[]> => {
      const found = await Promise.all(flood.map((ticketId) => tickets.find(ticketId)));
      return flood.filter((_, index) => found[index]?.seenAt !== undefined);
    };
    await page.getByText("Waiting for you: 20").waitFor();
    const looks = page.waitForRequest((asked) => asked.headers()["x-countersign-look"] === "1");
    await looks;
    // The page was left open: no person was there.
    expect(await seen()).toEqual([]);
    const report = page.waitForResponse((answer) => answer.url().endsWith("/seen"));
    await page.mouse.move(50, 60);
    expect((await report).status()).toBe(204);
    const inView = await seen();
    expect(inView.length).toBeGreaterThan(0);
    expect(inView.length).toBeLessThan(8);
    expect(inView).toEqual(flood.slice(0, inView.length));
    expect(errors).toEqual([]);
  });

  it("cannot be framed or posted to by another page of this computer", async () => {
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

  it("signs in an approver, who decides and signs out", async () => {
    const tickets = createFakeTickets();
    const audit = createFakeAuditRecord();
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => (server.close(), server.closeAllConnections()));
    const origin = `http://127.0.0.1:${portOf(server)}`;
    const approvers = [{ name: "alice", secret: new Secret("alice's own secret") }];
    const access = createSignInAccess({
      approvers,
      key: new Uint8Array(32),
      signOuts: { add: async () => undefined, has: async () => false },
      root: "/approvals",
    });
    const handler = createApprovalPage({
      tickets,
      audit,
      rules: createFakeRules(),
      record: createFakePageRecord(),
      log: quietLog,
      command: "countersign",
      access,
      origin,
    });
    const listen = getRequestListener((sent) => handler.fetch(sent));
    server.on("request", (sent, response) => void listen(sent, response));
    const { ticket } = await tickets.open(request({ principal: "alice" }), day);

    const { page } = await openChromium(phone);
    await page.goto(`${origin}/approvals`);
    await page.getByLabel("Your secret").fill("not it");
    await page.keyboard.press("Enter");
    await page.getByRole("alert").getByText("This is not an approver's secret.").waitFor();
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
