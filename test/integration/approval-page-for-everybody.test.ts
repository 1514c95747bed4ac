import { describe, expect, inject, it } from "vitest";
import { effect } from "../fakes/page-visit.ts";
import { openChromium } from "../servers/chromium.ts";
import { worstContrast } from "../servers/contrast.ts";
import { approve, phone, serveLocally } from "./page-in-browser.ts";

const hostile =
  '"><script>document.title="taken"</script><img src=x onerror=alert(1)>\u202Egnp\n<h1>';

describe.skipIf(inject("missingServers").includes("chromium"))("the page for everybody", () => {
  it("works with the keyboard alone, in reading order", async () => {
    const { server, open, statusOf } = await serveLocally();
    const ticket = await open();
    const { page } = await openChromium();
    await page.goto(server.newEntry());
    await approve(page, ticket).waitFor();
    const order: string[] = [];
    for (let tabs = 0; tabs < 11; tabs += 1) {
      await page.keyboard.press("Tab");
      order.push((await page.evaluate(() => document.activeElement?.textContent)) ?? "");
    }
    expect(order.map((text) => text.trim().split(/ (?=Delete a)/)[0])).toEqual([
      "Skip to the requests",
      "Requests",
      "History",
      "Activity",
      "Approve",
      "Deny",
      "Deny, and say what to do instead",
      "Reload",
      "Pause everything",
      "Resume",
      "Close this page",
    ]);
    await approve(page, ticket).focus();
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    await page.getByText("Denied. Nothing was done.").waitFor();
    expect(await statusOf(ticket.ticketId)).toBe("denied");
  });

  it("has headings, names for all controls, and fits a phone", async () => {
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
    const summaries = await page.locator("summary").allTextContents();
    expect(new Set(summaries).size).toBe(summaries.length);
    expect(errors).toEqual([]);
  });

  it.each(["light", "dark"] as const)("keeps text legible in the %s", async (colorScheme) => {
    const { server, tickets, open } = await serveLocally();
    const facts = [
      { label: "before", value: "one two" },
      { label: "after", value: "one three" },
    ];
    const asked = { effect: effect("Change", { a: "b" }, facts), fingerprint: "AAAA-BBBB" };
    const { ticketId } = await open(asked);
    await tickets.pause("*", "maria");
    const { page } = await openChromium({ colorScheme });
    await page.goto(server.newEntry());
    await page.getByText("Waiting for you: 1").waitFor();
    expect(await worstContrast(page)).toBeGreaterThanOrEqual(4.5);
    await page.getByRole("button", { name: "Resume" }).click();
    await page.getByRole("button", { name: /^Approve/ }).waitFor();
    expect(await worstContrast(page)).toBeGreaterThanOrEqual(4.5);
    // The card of a request that was decided elsewhere was faded to 4 : 1.
    await tickets.decide(ticketId, { verdict: "deny", channel: "terminal", by: "max" }, 60_000);
    await page.getByText("This request was decided elsewhere").waitFor();
    expect(await worstContrast(page)).toBeGreaterThanOrEqual(4.5);
  });
});
