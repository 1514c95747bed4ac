import { describe, expect, inject, it } from "vitest";
import type { RecentChange } from "../../src/ports/files/recent-changes.ts";
import { createFakePageRecord } from "../fakes/page-record.ts";
import { openChromium } from "../servers/chromium.ts";
import { phone, serveLocally } from "./page-in-browser.ts";

const hour = 3_600_000;

function change(seq: number, sentence: string, fields: Partial<RecentChange> = {}): RecentChange {
  const at = new Date(Date.now() - seq * hour);
  const undo = { undoId: `un_${seq}`, until: new Date(at.getTime() + 24 * hour) };
  return {
    seq,
    at,
    sentence,
    principal: "local",
    client: "Claude Desktop",
    tool: "write_file",
    undo: { ...undo, state: "possible" },
    ...fields,
  };
}

function record() {
  const changes = [
    change(1, "replaced notes/plan.md, 2.1 kB"),
    change(2, `wrote ${"a-very-long-name-of-a-folder/".repeat(4)}file.md, 14 bytes`),
  ];
  const events = changes.map(({ sentence, at, undo, client, principal, tool }) => ({
    event: {
      type: "finished" as const,
      at,
      callId: `c${undo?.undoId}`,
      principal,
      client,
      tool,
      sentence,
      outcome: "ok",
    },
    ...(undo && { undo }),
  }));
  return createFakePageRecord({ changes, events });
}

describe.skipIf(inject("missingServers").includes("chromium"))(
  "what was done, in a browser",
  () => {
    it("is undone with one press, and reported [activity.channels]", async () => {
      const given = record();
      const { server } = await serveLocally(given);
      const { page, errors } = await openChromium();
      await page.goto(server.newEntry());
      await page.getByRole("heading", { name: "Recently done" }).waitFor();
      await page.getByRole("button", { name: /^Undo.*plan\.md/ }).click();
      await page.getByText("Undone:").waitFor();
      expect(given.undone).toEqual(["un_1"]);
      expect(await page.evaluate(() => document.activeElement?.textContent)).toContain("plan.md");
      await page.getByRole("link", { name: "Activity", exact: true }).click();
      await page.getByRole("heading", { name: "Activity of the last seven days" }).waitFor();
      expect(await page.getByRole("button", { name: /^Undo/ }).count()).toBe(2);
      expect(errors).toEqual([]);
    });

    it("appears on the open page, with its button [activity.channels]", async () => {
      const changes: RecentChange[] = [];
      const given = createFakePageRecord({ changes });
      const { server } = await serveLocally(given);
      const { page, errors } = await openChromium();
      await page.goto(server.newEntry());
      await page.getByRole("heading", { name: "No requests are waiting" }).waitFor();
      changes.push(change(1, "wrote notes/new.md, 5 bytes"));
      await page
        .getByText('An assistant wrote notes/new.md, 5 bytes ("Claude Desktop")')
        .first()
        .waitFor();
      await page.getByRole("button", { name: /^Undo.*new\.md/ }).click();
      await page.getByText("Undone:").waitFor();
      expect(given.undone).toEqual(["un_1"]);
      expect(errors).toEqual([]);
    });

    it("fits a phone, even with long names and without JavaScript", async () => {
      const { server } = await serveLocally(record());
      const { page, errors } = await openChromium({ ...phone, javaScriptEnabled: false });
      await page.goto(server.newEntry());
      await page.getByRole("button", { name: "Show the requests" }).click();
      for (const name of ["Activity", "Requests"]) {
        await page.getByRole("link", { name, exact: true }).click();
        await page.getByText("plan.md").first().waitFor();
        const width = await page.locator("html").evaluate((html) => html.scrollWidth);
        expect(width).toBeLessThanOrEqual(phone.viewport.width);
      }
      expect(errors).toEqual([]);
    });
  },
);
