import { expect, it, vi } from "vitest";
import { writeSettings } from "../servers/env-file.ts";
import { storesAt } from "../servers/ingest.ts";
import { filledHome, ingestKilledAt } from "./filled-home.ts";
import { type Home, ingestHere } from "./home.ts";
import { runHere } from "./program.ts";

const dayMs = 86_400_000;
/** More than forgetting two messages ever makes known. */
const mostBoundaries = 200;
const everyBoundary = process.env["KILL_MESSAGES"] === undefined ? 5 : 1;

vi.setConfig({ testTimeout: 300_000 });

/** Moves the receipt of messages into the past. */
async function age(home: Home, subjects: readonly string[], days: number): Promise<void> {
  const at = Date.now() - days * dayMs;
  for (const subject of subjects) {
    await home.sql("UPDATE mail SET received_at = ? WHERE subject = ?", [at, subject]);
    await home.sql(
      "UPDATE mail_receipts SET received_at = ? WHERE email_id = (SELECT email_id FROM mail WHERE subject = ?)",
      [at, subject],
    );
  }
}

async function subjectsIn(home: Home): Promise<unknown[]> {
  const rows = await home.sql("SELECT subject FROM mail ORDER BY subject");
  return rows.map(({ subject }) => subject);
}

async function mailKeys(home: Home): Promise<string[]> {
  const stores = storesAt(home.dir, home.env);
  try {
    const { objects } = await stores.objects.list({ prefix: "mail/", limit: 1_000 });
    return objects.map(({ key }) => key);
  } finally {
    await stores.close();
  }
}

/** Objects of mail that no row names. */
async function strays(home: Home): Promise<unknown[]> {
  const keys = await mailKeys(home);
  const rows = await home.sql(
    `SELECT 'mail/raw/' || lower(hex(raw_sha256)) AS key FROM mail_receipts
      UNION SELECT 'mail/raw/' || lower(hex(raw_sha256)) FROM mail
      UNION SELECT 'mail/text/' || text_sha256 FROM mail UNION SELECT key FROM mail_leftovers`,
  );
  const named = new Set(rows.map(({ key }) => key));
  return keys.filter((key) => !named.has(key));
}

async function isForgotten(home: Home): Promise<boolean> {
  const [row] = await home.sql(
    "SELECT (SELECT count(*) FROM mail) AS mails, (SELECT count(*) FROM mail_leftovers) AS due",
  );
  return Number(row?.["mails"]) === 1 && Number(row?.["due"]) === 0;
}

it("mail older than MAIL_KEEP_DAYS is deleted with its objects and words [settings.effect]", async (t) => {
  const home = await filledHome(t);
  await age(home, ["number 1", "number 2"], 31);
  // The message has arrived again since.
  await home.sql(
    `INSERT INTO mail_receipts (email_id, position, received_at, intake, bytes)
      SELECT email_id, 1, ?, 'smtp', raw_bytes FROM mail WHERE subject = 'number 2'`,
    [Date.now()],
  );
  const kept = await ingestHere(home);
  expect(await kept.stop("SIGTERM")).toBe(0);
  expect(await subjectsIn(home)).toHaveLength(3);

  writeSettings(home.dir, { MAIL_KEEP_DAYS: "30" });
  const doctor = await runHere(home, ["doctor"]);
  expect(doctor.stdout).toContain(
    "mail: 3 messages, kept for 30 days after the last receipt; 1 of them are older",
  );
  const ingest = await ingestHere(home);
  const isLogged = (): boolean => ingest.said.some((line) => line.includes("deleted old mail"));
  await expect.poll(isLogged, { timeout: 30_000 }).toBe(true);
  expect(await ingest.stop("SIGTERM")).toBe(0);
  expect(await subjectsIn(home)).toEqual(["number 2", "number 3"]);
  expect(await strays(home)).toEqual([]);
  // The raw message of each, which contains its text.
  expect(await mailKeys(home)).toHaveLength(2);
  const [words] = await home.sql("SELECT count(*) AS n FROM mail_vocab WHERE term = 'word1'");
  expect(Number(words?.["n"])).toBe(0);
  const stores = storesAt(home.dir, home.env);
  expect((await stores.mail.search({ query: "word1", limit: 5 })).hits).toEqual([]);
  expect((await stores.mail.search({ query: "word2", limit: 5 })).hits).toHaveLength(1);
  await stores.close();
  const audit = await runHere(home, ["audit", "list"]);
  expect(audit.stdout).toContain("deleted 1 messages older than 30 days");
});

async function cleanedUpAt(home: Home, name: string, days: number): Promise<void> {
  await home.sql("INSERT OR REPLACE INTO leases VALUES (?, 'countersign', ?)", [
    name,
    Date.now() + days * dayMs,
  ]);
}

it.for([-31, 2])(
  "no start deletes mail if the last cleanup was %i days from now, because the clock has jumped",
  async (days, t) => {
    // The second start with a wrong clock deleted the mail of years, and so did the first one with a right clock again.
    const home = await filledHome(t);
    await age(home, ["number 1", "number 2"], 31);
    const settings = { MAIL_KEEP_DAYS: "30" };
    await cleanedUpAt(home, "mail cleanup", days);
    for (let start = 0; start < 2; start += 1) {
      const careful = await ingestHere(home, settings);
      const isSaid = (): boolean =>
        careful.said.some((line) => /clock has jumped.*no mail is deleted/i.test(line));
      await expect.poll(isSaid, { timeout: 30_000 }).toBe(true);
      expect(await careful.stop("SIGTERM")).toBe(0);
      expect(await subjectsIn(home)).toHaveLength(3);
    }
    writeSettings(home.dir, settings);
    const doctor = await runHere(home, ["doctor"]);
    expect(doctor.stdout).toMatch(/2 of them are older, and because the clock jumped, they are/);

    await cleanedUpAt(home, "mail clock", -31);
    const later = await ingestHere(home, settings);
    await expect.poll(() => isForgotten(home), { timeout: 30_000 }).toBe(true);
    expect(await later.stop("SIGTERM")).toBe(0);
  },
);

it("a process that is killed while it deletes old mail leaves nothing that a repeat misses", async (t) => {
  let boundary = 1;
  for (let wasKilled = true; wasKilled; boundary += everyBoundary) {
    expect(boundary).toBeLessThan(mostBoundaries);
    const home = await filledHome(t);
    await age(home, ["number 1", "number 2"], 31);
    const ingest = await ingestKilledAt(home, boundary, {
      env: { MAIL_KEEP_DAYS: "30" },
      isDone: isForgotten,
    });
    wasKilled = ingest.wasKilled;
    // No object is lost to the record at any moment.
    expect(await strays(home), String(boundary)).toEqual([]);
    if (!wasKilled) {
      await ingest.stop();
      continue;
    }
    // The killed process was the leader. Its lease would end after 15 s.
    await home.sql("DELETE FROM leases");
    const again = await ingestHere(home, { MAIL_KEEP_DAYS: "30" });
    await expect.poll(() => isForgotten(home), { timeout: 30_000 }).toBe(true);
    expect(await again.stop("SIGTERM")).toBe(0);
    expect(await strays(home), String(boundary)).toEqual([]);
    expect(await subjectsIn(home)).toEqual(["number 3"]);
  }
  expect(boundary).toBeGreaterThan(2 * everyBoundary);
});
