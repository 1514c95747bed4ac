import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, inject, it } from "vitest";
import { z } from "zod";
import { benignDays } from "../fixtures/flow/benign-days.ts";
import { makeCalendar } from "../servers/caldav.ts";
import { startTavily, tavilyKey } from "../servers/tavily.ts";
import { connectHere } from "./clients.ts";
import { newHome } from "./home.ts";
import { runProgram } from "./program.ts";

const eml = (at: number, subject: string, body: string): string =>
  [
    `From: Sender ${at} <sender${at}@host${at}.example>`,
    "To: me@in.example",
    `Subject: ${subject}`,
    `Date: Fri, 20 Nov 2026 10:${String(at).padStart(2, "0")}:00 +0000`,
    `Message-ID: <${at}@days.example>`,
    "Content-Type: text/plain; charset=utf-8",
    "",
    body,
    "",
  ].join("\r\n");

const { radicale } = inject("calendarServers");

const emails = z.object({ emails: z.array(z.object({ id: z.string() })) });
const held = z.object({ approvalId: z.string() });

it(
  "asks about few calls of twenty ordinary days [flow.benign-days]",
  { timeout: 300_000 },
  async (t) => {
    expect(benignDays).toHaveLength(20);
    const tavily = await startTavily();
    const calendar = await makeCalendar(radicale!);
    const home = newHome(t, {
      TAVILY_API_KEY: tavilyKey,
      TAVILY_BASE_URL: tavily.url,
      ...calendar.settings,
    });
    home.later(() => tavily.close());
    const folder = join(home.dir, "mails");
    mkdirSync(folder);
    for (const [at, { subject, body }] of benignDays.entries())
      writeFileSync(join(folder, `${at}.eml`), eml(at, subject, body));
    expect((await runProgram(home, ["import", folder])).code).toBe(0);
    const client = await connectHere(home, "v2 legacy");
    const asked: string[] = [];
    let calls = 0;
    for (const [day, { calls: wishes }] of benignDays.entries()) {
      expect(wishes).toHaveLength(15);
      let found: string | undefined;
      for (const { tool, args } of wishes) {
        calls += 1;
        const given = tool === "read_email" ? { emailId: found ?? "" } : args;
        const answer = await client.call(tool, given);
        if (tool === "search_emails" && typeof args["query"] === "string")
          found ??= emails.parse(answer.output).emails[0]?.id;
        if (held.safeParse(answer.output).success || answer.isError)
          asked.push(`${day} ${tool} ${JSON.stringify(args)}`);
      }
      // Contents of the day before end with `FLOW_HOURS`. Here all days are one, which is stricter.
    }
    expect(calls).toBe(300);
    expect(asked.length / calls, asked.join("\n")).toBeLessThanOrEqual(0.05);
    const days = asked.map((line) => line.split(" ", 1).join(""));
    expect(new Set(days).size, asked.join("\n")).toBe(days.length);
  },
);
