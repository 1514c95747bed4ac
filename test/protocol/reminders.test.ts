import { describe, expect, it, vi } from "vitest";
import { z } from "zod";
import { person } from "../servers/telegram.ts";
import { connect, connectHere } from "./clients.ts";
import { type Home, ingestAt, ingestHere, newHome } from "./home.ts";
import { homeWithBot } from "./telegram-home.ts";

const receiving = { INGEST_RECIPIENTS: "@inbox.test", SMTP_PORT: "0" };
const inAnHour = () => new Date(Date.now() + 3_600_000).toISOString();
const stored = z.object({ id: z.string(), next: z.string() });

/** Moves a reminder as if this much time had gone by. */
async function letPass(home: Home, ms: number): Promise<void> {
  await home.sql("UPDATE reminders SET due_at = due_at - ?", [ms]);
}

describe.concurrent("notify_user [assistant.notify]", { timeout: 120_000 }, () => {
  it("sends plain text to the caller's own chat, marked as the assistant's", async (t) => {
    const { home, bot } = await homeWithBot(t);
    const client = await connectHere(home, "v2 legacy");
    const text = "Countersign asks for your approval.\nPress https://evil.example/approve";
    const { output, text: said } = await client.call("notify_user", { text });
    t.expect(output).toMatchObject({ sent: true });
    t.expect(said).toContain("Tell the user:");
    t.expect(bot.messages).toHaveLength(1);
    const [message] = bot.messages;
    t.expect(message?.chatId).toBe(person);
    t.expect(message?.text).toMatch(/^Message from your assistant, in its own words\.\n\nCounters/);
    t.expect(message?.text).toContain("hxxps[:]//evil[.]example/approve");
    t.expect(message?.links).toEqual([]);
  });

  it("refuses a caller that has no own chat", async (t) => {
    const { home, bot } = await homeWithBot(t, { TELEGRAM_APPROVER_IDS: `ann:${person}` });
    const client = await connectHere(home, "v2 legacy");
    const answer = await client.call("notify_user", { text: "Hello" });
    t.expect(answer.error).toMatchObject({ kind: "not_configured" });
    t.expect(answer.text).toContain("No Telegram chat belongs to the caller local.");
    t.expect(bot.messages).toEqual([]);
  });

  it("stops after ten messages an hour, in all processes together", async (t) => {
    const { home, bot } = await homeWithBot(t);
    const clients = await Promise.all([connect(home, "v2 legacy"), connect(home, "v2 legacy")]);
    const answers = await Promise.all(
      Array.from({ length: 12 }, (_, index) =>
        clients[index % 2]!.call("notify_user", { text: `Message ${index}` }),
      ),
    );
    const refused = answers.filter(({ error }) => error?.kind === "rate_limited");
    t.expect(refused).toHaveLength(2);
    t.expect(bot.messages).toHaveLength(10);
  });

  it("is listed with the reminders only if Telegram is configured", async (t) => {
    const client = await connectHere(newHome(t), "v2 legacy");
    const names = (await client.listTools()).map(({ name }) => name);
    for (const name of ["notify_user", "remind_me", "list_reminders", "cancel_reminder"])
      t.expect(names).not.toContain(name);
  });
});

describe.concurrent("a reminder [assistant.reminders]", { timeout: 120_000 }, () => {
  it("is listed, delivered once by the leader, and gone", async (t) => {
    const { home, bot, message } = await homeWithBot(t, receiving);
    const client = await connectHere(home, "v2 legacy");
    const { id } = stored.parse(
      (await client.call("remind_me", { text: "Call Ann", at: inAnHour() })).output,
    );
    const listed = await client.call("list_reminders", {});
    t.expect(listed.output).toMatchObject({ reminders: [{ id }] });
    t.expect(listed.text).toMatch(/\[untrusted [^\]]+\][^[]*Call Ann/);
    await Promise.all([ingestAt(home, home.env), ingestAt(home, home.env)]);
    await letPass(home, 3_600_000);
    const { text } = await message("Call Ann");
    t.expect(text).toBe("Reminder, in your assistant's words.\n\nCall Ann");
    await vi.waitFor(async () => expect(await home.sql("SELECT 1 FROM reminders")).toEqual([]), {
      timeout: 30_000,
    });
    t.expect(bot.messages).toHaveLength(1);
    t.expect((await client.call("list_reminders", {})).output).toMatchObject({ reminders: [] });
  });

  it("that is late says so, and a repeated one leaves missed times out", async (t) => {
    const { home, bot, message } = await homeWithBot(t, { ...receiving, TZ: "Europe/Berlin" });
    const client = await connect(home, "v2 legacy");
    const rule = { at: "2027-01-04T09:00", recurrence: "FREQ=DAILY" };
    const answer = await client.call("remind_me", { text: "Drink water", ...rule });
    t.expect(stored.parse(answer.output).next).toBe("2027-01-04T09:00:00+01:00");
    // Ten days of it went by while nothing ran.
    await home.sql("UPDATE reminders SET start_at = ?, due_at = ?", [
      Date.now() - 10 * 86_400_000 - 3_600_000,
      Date.now() - 10 * 86_400_000 - 3_600_000,
    ]);
    await ingestAt(home, home.env);
    const { text } = await message("Drink water");
    t.expect(text).toMatch(/Late: it was for .+\. Next: .+\.\n\nDrink water$/);
    const [row] = await home.sql("SELECT due_at FROM reminders");
    t.expect(Number(row?.["due_at"])).toBeGreaterThan(Date.now());
    t.expect(bot.messages).toHaveLength(1);
  });

  it("that may have been sent before a kill is sent once more, and says so", async (t) => {
    let isFirst = true;
    const { home, bot, message } = await homeWithBot(t, receiving, (method) => {
      // The message was sent as far as Telegram is concerned, and the response never comes.
      const hangs = method === "sendMessage" && isFirst;
      if (hangs) isFirst = false;
      return hangs;
    });
    const client = await connectHere(home, "v2 legacy");
    await client.call("remind_me", { text: "Call Ann", at: inAnHour() });
    const first = await ingestAt(home, home.env);
    await letPass(home, 3_600_000);
    await vi.waitFor(() => expect(bot.calls).toContain("sendMessage"), { timeout: 20_000 });
    await first.stop("SIGKILL");
    await home.sql("DELETE FROM leases");
    await home.sql("UPDATE reminders SET claimed_at = claimed_at - 60000");
    const { output } = await client.call("list_reminders", {});
    t.expect(JSON.stringify(output)).toContain('"unconfirmed":"');
    await ingestHere(home, home.env);
    const { text } = await message("Call Ann");
    t.expect(text).toContain("It may have been sent before: the first attempt was interrupted.");
    await vi.waitFor(async () => expect(await home.sql("SELECT 1 FROM reminders")).toEqual([]), {
      timeout: 10_000,
    });
    t.expect(bot.calls.filter((call) => call === "sendMessage")).toHaveLength(2);
  });

  it("is given up after three attempts without an answer of Telegram", async (t) => {
    const { home, bot, message } = await homeWithBot(t, receiving);
    const client = await connectHere(home, "v2 legacy");
    await client.call("remind_me", { text: "Call Ann", at: inAnHour() });
    await home.sql(
      "UPDATE reminders SET sending_for = due_at, due_at = NULL, claimed_at = 0, attempts = 3",
    );
    await client.call("remind_me", { text: "Call Bob", at: inAnHour() });
    await letPass(home, 3_600_000);
    await ingestHere(home, home.env);
    await message("Call Bob");
    bot.write("/start");
    await message("Your approval requests are shown here.");
    t.expect(bot.messages.map(({ text }) => text).join()).not.toContain("Call Ann");
  });

  it("that certainly was not sent is sent later", async (t) => {
    const { home, bot, message } = await homeWithBot(t, receiving, (method, response, count) => {
      if (method !== "sendMessage" || count > 1) return false;
      response
        .writeHead(429, { "content-type": "application/json" })
        .end(
          '{"ok":false,"error_code":429,"description":"Too Many Requests","parameters":{"retry_after":1}}',
        );
      return true;
    });
    const client = await connectHere(home, "v2 legacy");
    await client.call("remind_me", { text: "Call Ann", at: inAnHour() });
    await ingestHere(home, home.env);
    await letPass(home, 3_600_000);
    await message("Call Ann");
    t.expect(bot.messages).toHaveLength(1);
  });

  it("can be cancelled by its own caller, and the result has the reminder", async (t) => {
    const { home } = await homeWithBot(t, receiving);
    const client = await connectHere(home, "v2 legacy");
    const { id } = stored.parse(
      (await client.call("remind_me", { text: "Call Ann", at: inAnHour() })).output,
    );
    await home.sql("UPDATE reminders SET principal = 'ann'");
    t.expect((await client.call("cancel_reminder", { id })).error?.kind).toBe("not_found");
    await home.sql("UPDATE reminders SET principal = 'local'");
    const { output } = await client.call("cancel_reminder", { id });
    t.expect(output).toMatchObject({ id, cancelled: true });
    t.expect(await home.sql("SELECT 1 FROM reminders")).toEqual([]);
  });

  it.for([
    [{ at: "2020-01-01T09:00:00Z" }, "at: it is in the past"],
    [{ at: "tomorrow" }, "at: it is not a time with an offset"],
    [{ at: "2027-03-28T02:30", timeZone: "Europe/Berlin" }, "does not exist in Europe/Berlin"],
    [{ at: "2027-01-01T09:00:00Z", recurrence: "FREQ=MINUTELY" }, "more often than hourly"],
  ] as const)("with %j is refused: %s", async ([args, why], t) => {
    const { home } = await homeWithBot(t);
    const client = await connectHere(home, "v2 legacy");
    const answer = await client.call("remind_me", { text: "Call Ann", ...args });
    t.expect(answer.error?.kind).toBe("invalid_input");
    t.expect(answer.text).toContain(why);
  });
});
