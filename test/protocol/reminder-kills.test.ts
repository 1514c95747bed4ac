import { expect, it, vi } from "vitest";
import { recipient } from "../servers/ingest.ts";
import { connect } from "./clients.ts";
import { ingestKilledAt } from "./filled-home.ts";
import { type Home, ingestAt } from "./home.ts";
import { homeWithBot } from "./telegram-home.ts";

/** More than a start with one delivery ever makes known. */
const mostBoundaries = 300;
const everyBoundary = process.env["KILL_MESSAGES"] === undefined ? 4 : 1;
const repeated = "It may have been sent before";

vi.setConfig({ testTimeout: 600_000 });

const isDelivered = async (home: Home): Promise<boolean> =>
  (await home.sql("SELECT 1 FROM reminders")).length === 0;

it("a reminder survives a kill at any moment of its delivery [assistant.reminders]", async (t) => {
  const env = { INGEST_RECIPIENTS: recipient, SMTP_PORT: "0", INGEST_DNS: "off" };
  let boundary = 1;
  for (let wasKilled = true; wasKilled; boundary += everyBoundary) {
    expect(boundary).toBeLessThan(mostBoundaries);
    const { home, bot } = await homeWithBot(t, env);
    const client = await connect(home, "v2 legacy");
    const at = new Date(Date.now() + 3_600_000).toISOString();
    await client.call("remind_me", { text: "Call Ann", at });
    await client.close();
    await home.sql("DELETE FROM leases");
    await home.sql("UPDATE reminders SET due_at = due_at - 3600000");
    const ingest = await ingestKilledAt(home, boundary, { isDone: isDelivered });
    wasKilled = ingest.wasKilled;
    const sentBefore = bot.messages.length;
    if (wasKilled) {
      await home.sql("DELETE FROM leases");
      await home.sql("UPDATE reminders SET claimed_at = claimed_at - 60000");
      const again = await ingestAt(home, home.env);
      await expect.poll(() => isDelivered(home), { timeout: 30_000 }).toBe(true);
      expect(await again.stop("SIGTERM")).toBe(0);
    } else {
      await ingest.stop();
    }
    // Nothing is lost, and no second message passes for a first one.
    const texts = bot.messages.map(({ text }) => text);
    expect(texts.length, String(boundary)).toBeGreaterThan(0);
    expect(texts.length, String(boundary)).toBeLessThan(3);
    for (const later of texts.slice(1)) expect(later, String(boundary)).toContain(repeated);
    if (sentBefore > 0) expect(texts[0], String(boundary)).not.toContain(repeated);
  }
  expect(boundary).toBeGreaterThan(2 * everyBoundary);
});
