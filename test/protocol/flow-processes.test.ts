import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import LibsqlDatabase from "libsql";
import { type TestContext, describe, expect, it } from "vitest";
import { z } from "zod";
import { approvalOf } from "./answer.ts";
import { runHere } from "./program.ts";
import { homeWithSearch, startTwo } from "./two-processes.ts";

const codes = ["84QX71KM90", "63PL20ZV57", "19BT48WN62", "75HD36RC81"];

const mailOf = (code: string, at: number): string =>
  [
    "From: Lena Hoffmann <lena@example.org>",
    "To: me@in.example",
    `Subject: Licence ${at}`,
    "Date: Fri, 20 Nov 2026 10:00:00 +0000",
    `Message-ID: <${at}@example.org>`,
    "",
    `The licence is ${code}.`,
    "",
  ].join("\r\n");

/** Starts two processes of one caller, with a mail for each code. */
async function openTwo(t: TestContext) {
  const home = await homeWithSearch(t);
  for (const [at, code] of codes.entries()) {
    const path = join(home.dir, `${at}.eml`);
    writeFileSync(path, mailOf(code, at));
    expect((await runHere(home, ["import", path])).code).toBe(0);
  }
  const { servers, reader, other } = await startTwo(home);
  const rows = z
    .array(z.object({ email_id: z.string(), subject: z.string() }))
    .parse(await home.sql("SELECT email_id, subject FROM mail"));
  const ids = new Map(rows.map((row) => [row.subject, row.email_id]));
  const read = async (at: number): Promise<void> => {
    const { text } = await reader.call("read_email", { emailId: ids.get(`Licence ${at}`) });
    expect(text).toContain(codes[at]);
  };
  const send = (query: string) => other.call("web_search", { query });
  return { home, servers, read, send };
}

describe.concurrent("two processes of one caller [flow]", () => {
  // A result returned before its content was recorded, and another process sent it unasked in that moment.
  it("compare a text with what the other returned a moment ago", async (t) => {
    const { read, send } = await openTwo(t);
    for (const [at, code] of codes.entries()) {
      await read(at);
      expect(approvalOf(await send(`who knows ${code}`))).toBeDefined();
    }
    expect((await send("tides at Ghent")).isError).toBe(false);
  });

  // Everything that the caller sent needed approval until FLOW_HOURS had passed.
  it("compare a text with what the other returned before it was killed, and ask about nothing else", async (t) => {
    const { home, servers, read, send } = await openTwo(t);
    expect((await send(`who knows ${codes[0]}`)).isError).toBe(false);
    const lock = new LibsqlDatabase(join(home.dir, "countersign.db"), { timeout: 5_000 });
    lock.exec("BEGIN IMMEDIATE");
    await read(0);
    servers[0].child.kill("SIGKILL");
    await servers[0].ended;
    lock.exec("COMMIT");
    lock.close();
    const marks = join(home.dir, "countersign.db-recording");
    const [mark, ...others] = readdirSync(marks);
    expect([mark, others]).toEqual([expect.any(String), []]);
    const { id } = approvalOf(await send(`who owns ${codes[0]}`));
    const shown = (await runHere(home, ["approvals", "show", id])).stdout;
    expect(shown).toContain(`⟦${codes[0]}⟧`);
    expect((await send("tides at Ghent")).isError).toBe(false);
    expect(readdirSync(marks)).not.toContain(mark);
  });
});
