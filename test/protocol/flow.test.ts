import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, describe, expect, it } from "vitest";
import { z } from "zod";
import { startTavily, tavilyKey } from "../servers/tavily.ts";
import { approvalOf } from "./answer.ts";
import { connectHere } from "./clients.ts";
import { importInto } from "./filled-home.ts";
import { newHome, operatorSecret, storedStatus } from "./home.ts";
import { runHere } from "./program.ts";

const message = `From: Lena Hoffmann <lena@example.org>
To: me@in.example
Subject: Door code
Date: Fri, 20 Nov 2026 10:00:00 +0000
Message-ID: <1@example.org>
Content-Type: text/plain; charset=utf-8

The code of the flat in Lisbon is 4711-K. The licence key is 84QX71KM90.
`.replaceAll("\n", "\r\n");

async function open(t: TestContext, policy?: object, env: Record<string, string> = {}) {
  const tavily = await startTavily();
  const home = newHome(t, {
    TAVILY_API_KEY: tavilyKey,
    TAVILY_BASE_URL: tavily.url,
    ...(policy && { POLICY_FILE: "policy.json" }),
    ...env,
  });
  home.later(() => tavily.close());
  if (policy) writeFileSync(join(home.dir, "policy.json"), JSON.stringify(policy));
  await importInto(home, message);
  const client = await connectHere(home, "v2 legacy");
  const search = (query: string) => client.call("web_search", { query });
  const readMail = async () => {
    const found = await client.call("search_emails", { query: "code" });
    const [{ id }] = z.tuple([z.object({ id: z.string() })]).parse(found.output?.["emails"]);
    await client.call("read_email", { emailId: id });
    return id;
  };
  const approve = async (id: string, ...more: string[]) => {
    const args = ["approvals", "approve", id, "--secret-stdin", ...more];
    expect(await runHere(home, args, { input: `${operatorSecret}\n` })).toMatchObject({
      code: 0,
    });
  };
  return { home, tavily, client, search, readMail, approve };
}

describe.concurrent("outgoing text [flow]", () => {
  it.for([
    { hours: "1", isHeld: false },
    { hours: "3", isHeld: true },
  ])(
    "is compared with content of the last $hours hours [settings.effect]",
    async ({ hours, isHeld }, t) => {
      const { home, search, readMail } = await open(t, undefined, { FLOW_HOURS: hours });
      await readMail();
      expect(approvalOf(await search("who knows 4711-K"))).toBeDefined();
      await home.sql("UPDATE flow_given SET at = at - 2 * 3600000");
      // A process remembers what it recorded, so another one is asked.
      const other = await connectHere(home, "v2 legacy");
      const query = "does anybody know 84QX71KM90";
      const { isError } = await other.call("web_search", { query });
      expect(isError).toBe(isHeld);
    },
  );

  // The time began when the call ran, and the result could be given hours later.
  it.for(["check_approval", "read_email"] as const)(
    "is compared with a stored result that %s gives after that time",
    async (tool, t) => {
      const policy = { riskFloors: { read_email: "high" } };
      const { home, client, readMail, approve } = await open(t, policy, {
        FLOW_HOURS: "1",
        APPROVAL_WAIT_MS: "1000",
      });
      const emailId = await readMail();
      const { id } = approvalOf(await client.call("read_email", { emailId }));
      await approve(id);
      const stored = async () => [
        await storedStatus(home, id),
        (await home.sql("SELECT seq FROM flow_given")).length,
      ];
      // The result of the search, and then that of the call.
      await t.expect.poll(stored, { timeout: 20_000 }).toEqual(["done", 2]);
      await home.sql("UPDATE flow_given SET at = at - 2 * 3600000");
      const other = await connectHere(home, "v2 legacy");
      const args = tool === "read_email" ? { emailId } : { approvalId: id };
      expect((await other.call(tool, args)).text).toContain("84QX71KM90");
      const query = "does anybody know 84QX71KM90";
      expect((await other.call("web_search", { query })).error?.kind).toBe("approval_required");
    },
  );

  it("waits for approval if it has a code of a mail, and is sent once after it", async (t) => {
    const { home, tavily, search, readMail, approve } = await open(t);
    expect((await search("what is 4711-K")).isError).toBe(false);
    const emailId = await readMail();
    expect((await search("flats in Lisbon")).isError).toBe(false);
    const sentBefore = tavily.requests.length;
    const held = await search("who knows NDcxMS1L please");
    const { id } = approvalOf(held);
    expect(held.text).not.toContain("Hoffmann");
    expect(tavily.requests).toHaveLength(sentBefore);

    const shown = (await runHere(home, ["approvals", "show", id])).stdout;
    expect(shown).toContain("who knows ⟦NDcxMS1L⟧ please");
    expect(shown).toMatch(
      /NDcxMS1L: from the mail "Door code" by "Lena Hoffmann" \("lena@example\.org"\), 20 Nov/,
    );
    expect(shown).toContain("Send private content");

    await approve(id);
    expect((await search("who knows NDcxMS1L please")).isError).toBe(false);
    expect(tavily.requests.at(-1)).toMatchObject({ body: { query: "who knows NDcxMS1L please" } });
    const [asked] = await home.sql("SELECT risk, outcome FROM audit WHERE type = 'asked'");
    expect(asked).toMatchObject({
      risk: "high",
      outcome: `web_search has risk low; raised to high: the outgoing text matches private content (mail ${emailId})`,
    });
  });

  // The outgoing text was in the first line and in the second.
  it("is in the dialog once, and the dialog says what happens [elicitation.three-lines]", async (t) => {
    const { home, search, readMail } = await open(t);
    await readMail();
    // A result is sent before it is recorded. Only the next check of the same process waits for the record.
    await search("tides");
    const asking = await connectHere(home, "v2 legacy", { elicitation: "deny" });
    await asking.call("web_search", { query: "who knows 4711-K" });
    const [first, ...below] = asking.dialogs[0]?.message.split("\n") ?? [];
    expect(first).toBe('Send private content: search the web for "who knows 4711-K"');
    expect(below.join("\n")).not.toContain("4711-K");
    expect(below[0]).toMatch(/request [A-Z2-7]{4}-[A-Z2-7]{4}$/);
  });

  it("waits for approval at the third of five parts", async (t) => {
    const { search, readMail } = await open(t);
    await readMail();
    expect((await search("weather 84")).isError).toBe(false);
    expect((await search("weather QX")).isError).toBe(false);
    expect((await search("weather 71")).error?.kind).toBe("approval_required");
  });

  it("is sent without another request for the same items after allow similar", async (t) => {
    const { search, readMail, approve, home } = await open(t);
    await readMail();
    const { id } = approvalOf(await search("4711-K"));
    const shown = (await runHere(home, ["approvals", "show", id])).stdout;
    // The request named the mail by its id.
    expect(shown).toContain("private content from the same mail.");
    await approve(id, "--similar");
    expect((await search("4711-K")).isError).toBe(false);
    expect((await search("4711-K again")).isError).toBe(false);
  });

  // Only twelve matches named their items, so the thirteenth could be from any item.
  it("waits for approval if allow similar does not cover its last match", async (t) => {
    const { search, readMail, approve, client } = await open(t);
    const numbers = Array.from({ length: 14 }, (_, at) => 48_213 + at * 7_919);
    await client.call("write_file", { key: "lots.txt", content: numbers.join(", ") });
    await readMail();
    await client.call("read_file", { key: "lots.txt" });
    await approve(approvalOf(await search(`${numbers[0]}`)).id, "--similar");
    const all = numbers.join(" tide ");
    expect((await search(`${numbers[0]}`)).isError).toBe(false);
    expect((await search(all)).isError).toBe(false);
    expect((await search(`${all} sea 84QX71KM90`)).error?.kind).toBe("approval_required");
  });

  // No check saw the parts of the others, and all of them were sent.
  it("waits for approval at the third of five parts in simultaneous calls", async (t) => {
    const { search, readMail, tavily } = await open(t);
    await readMail();
    const parts = ["84", "QX", "71", "KM", "90"].map((part) => search(`weather ${part}`));
    const kinds = (await Promise.all(parts)).map(({ error }) => error?.kind);
    const asked = "approval_required";
    expect(kinds).toEqual([undefined, undefined, asked, asked, asked]);
    expect(tavily.requests).toHaveLength(2);
  });

  // No page had the whole key, so none of its records did.
  it("is compared with what a caller read in pages of three bytes", async (t) => {
    const { client, search } = await open(t);
    const content = "The licence key is 84QX71KM90.";
    await client.call("write_file", { key: "key.txt", content });
    for (let offset = 0; offset < content.length; offset += 3)
      await client.call("read_file", { key: "key.txt", offset, maxBytes: 3 });
    expect((await search("who knows 84QX71KM90")).error?.kind).toBe("approval_required");
  });

  it("is compared as the policy says, and policy explain says so", async (t) => {
    const off = await open(t, { flow: { web_search: "off" } });
    await off.readMail();
    expect((await off.search("4711-K")).isError).toBe(false);
    const always = await open(t, { flow: { web_search: "ask-after-private-read" } });
    expect((await always.search("tides")).isError).toBe(false);
    await always.readMail();
    expect((await always.search("tides today")).error?.kind).toBe("approval_required");
    const args = ["policy", "explain", "web_search", '{"query":"tides now"}', "--json"];
    const { stdout } = await runHere(always.home, args);
    expect(JSON.parse(stdout)).toMatchObject({ verdict: "ask", risk: "high" });
    expect(stdout).toContain(
      "private content was read before, and the policy then requires approval",
    );
  });

  it("is compared with what another process gave to the same caller", async (t) => {
    const { home, readMail } = await open(t);
    await readMail();
    const other = await connectHere(home, "v2 legacy");
    const held = await other.call("web_search", { query: "4711-K" });
    expect(held.error?.kind).toBe("approval_required");
  });

  it("has its sources in the request of another tool, except in the client's dialog", async (t) => {
    const { home, client, readMail } = await open(t);
    await client.call("write_file", { key: "84QX71KM90.txt", content: "x" });
    await client.call("write_file", { key: "own-list.txt", content: "x" });
    await readMail();
    const shown = async (key: string): Promise<string> => {
      const deletion = await client.call("delete_file", { key });
      expect(deletion.text).not.toContain("Hoffmann");
      const { id } = approvalOf(deletion);
      return (await runHere(home, ["approvals", "show", id])).stdout;
    };
    const fromMail = await shown("84QX71KM90.txt");
    expect(fromMail).toContain("source of key");
    expect(fromMail).toContain("Hoffmann");
    expect(await shown("own-list.txt")).not.toContain("source of");
  });

  it("keeps its mails as sources in a file that the assistant wrote", async (t) => {
    const { home, client, readMail } = await open(t);
    await client.call("write_file", { key: "before.md", content: "x" });
    const emailId = await readMail();
    await client.call("write_file", { key: "notes.md", content: "Ask about plan-77-riverside" });
    const other = await connectHere(home, "v2 legacy");
    const read = await other.call("read_file", { key: "notes.md" });
    expect(read.output).toMatchObject({ writtenBy: "assistant" });
    expect(read.sources).toEqual([
      { kind: "file", id: "notes.md", writtenBy: "assistant", verified: false },
      { kind: "mail", id: emailId, writtenBy: "other", verified: false },
    ]);
    expect((await other.call("read_file", { key: "before.md" })).sources).toHaveLength(1);
    expect((await other.call("list_files", { prefix: "notes" })).output).toMatchObject({
      files: [{ key: "notes.md", writtenBy: "assistant" }],
    });
    await other.call("write_file", { key: "plan-77-riverside", content: "x" });
    const { id } = approvalOf(await other.call("delete_file", { key: "plan-77-riverside" }));
    expect((await runHere(home, ["approvals", "show", id])).stdout.replace(/\s+/g, " ")).toMatch(
      /source of key "plan-77-riverside" was written by the assistant in the file "notes.md", which the assistant wrote after reading the mail "Door code" by "Lena Hoffmann" \("lena@example\.org"\)/,
    );
  });

  it("is compared with fingerprints, of which no text is stored", async (t) => {
    const { home, readMail, client } = await open(t);
    const emailId = await readMail();
    const read = await client.call("read_email", { emailId });
    expect(read.sources).toEqual([
      { kind: "mail", id: emailId, writtenBy: "other", verified: false },
    ]);
    await client.close();
    const rows = await home.sql("SELECT * FROM flow_given");
    expect(rows.length).toBeGreaterThan(0);
    const stored = rows
      .map((row) =>
        Object.values(row)
          .map((value) =>
            value instanceof ArrayBuffer ? Buffer.from(value).toString("latin1") : String(value),
          )
          .join(),
      )
      .join();
    // Hashes have four digits by chance, so a short code is searched for as a word.
    expect(stored).not.toMatch(/\b4711\b|84QX71KM90|Lisbon|Hoffmann/i);
  });
});
