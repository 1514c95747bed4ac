import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { mainMigrations, openDatabase } from "../../src/adapters/libsql/driver/database.ts";
import { createMailStore } from "../../src/adapters/libsql/mail/mail-store.ts";
import { sha256Hex } from "../../src/core/shared/digest.ts";
import { extractSummary } from "../../src/ingest/summary/extract-summary.ts";
import { quietLog } from "../fakes/quiet-log.ts";
import { pathOf } from "../servers/servers.ts";
import { madeMail, sought } from "./mail-corpus.ts";
import { startRaw } from "./stdio-client.ts";

/** Messages written at a time: the store commits together what waits together. */
const together = 64;
const asked = 40;

interface Searches {
  what: string;
  /** One of those that the bound is for, and that are to be faster than both programs. */
  isPromised: boolean;
  found: number;
  ours: number[];
  /** The times of one program each. Undefined if the program or this search of it does not exist. */
  notmuch: number[] | undefined;
  mu: number[] | undefined;
}

/** Enters the messages as ingestion does after parsing. The object store stays empty, because no search reads it. */
export async function fill(
  dataDir: string,
  count: number,
  lengths: readonly number[],
): Promise<void> {
  const url = pathToFileURL(join(dataDir, "countersign.db")).href;
  const database = openDatabase({ url, migrations: mainMigrations, log: quietLog });
  const store = createMailStore(database, { hasFarObjects: true });
  let next = 0;
  await Promise.all(
    Array.from({ length: together }, async () => {
      for (let number = next++; number < count; number = next++) {
        const { body, date, subject, name, address, to, cc, hasAttachment } = madeMail(
          number,
          lengths,
        );
        const sha256 = sha256Hex(Buffer.from(String(number)));
        const { claimed } = await store.admit(
          { emailId: `em_${sha256.slice(0, 26)}`, rawSha256: sha256, bytes: 1, firstStep: "parse" },
          { intake: "import", rawSha256: sha256, bytes: 1 },
          { leaseMs: 60_000 },
        );
        if (claimed === undefined) throw new Error(`message ${number} was not new`);
        const attachment = {
          attachmentId: "at_x",
          mediaType: "a/b",
          bytes: 1,
          sha256,
          inline: false,
        };
        await store.advance(claimed, {
          facts: {
            from: { name, address, source: "header" },
            to,
            cc,
            subject,
            date,
            text: { sha256, bytes: Buffer.byteLength(body) },
            attachments: hasAttachment ? [attachment] : [],
          },
          summary: { text: extractSummary(body), source: "extract" },
          searchable: { body },
          next: { kind: "finish" },
        });
        if (number % 10_000 === 0) console.error(`${number} of ${count} messages entered`);
      }
    }),
  );
  await database.close();
}

/** Writes the same messages as files, for the other programs. */
export function maildir(path: string, count: number, lengths: readonly number[]): void {
  for (const folder of ["cur", "new", "tmp"]) mkdirSync(join(path, folder), { recursive: true });
  for (let number = 0; number < count; number += 1) {
    const { name, address, to, cc, subject, date, body } = madeMail(number, lengths);
    const list = (people: typeof to): string =>
      people.map((person) => `${person.name ?? ""} <${person.address}>`).join(", ");
    writeFileSync(
      join(path, "cur", `${number}:2,S`),
      `From: ${name} <${address}>\nTo: ${list(to)}\n${cc.length === 0 ? "" : `Cc: ${list(cc)}\n`}Subject: ${subject}\nDate: ${date.toUTCString()}\nMessage-ID: <${number}@bench.example>\nContent-Type: text/plain; charset=utf-8\nContent-Transfer-Encoding: 8bit\n\n${body}\n`,
    );
  }
}

function run(command: string, args: readonly string[], env: Record<string, string> = {}): number {
  const before = performance.now();
  const { status, stderr, error } = spawnSync(command, args, {
    encoding: "utf8",
    env: { ...process.env, ...env },
    maxBuffer: 1 << 28,
  });
  // mu exits with 2 if nothing is found.
  if (error !== undefined || (status !== 0 && status !== 2 && status !== 4))
    throw new Error(`${command} ${args.join(" ")}: ${String(error ?? stderr)}`);
  return performance.now() - before;
}

interface Search {
  what: string;
  isPromised?: true;
  ours: Record<string, unknown>;
  notmuch?: string;
  mu?: string;
}

const searches: readonly Search[] = [
  {
    what: "a rare word",
    isPromised: true,
    ours: { query: sought.rare },
    notmuch: sought.rare,
    mu: sought.rare,
  },
  {
    what: "a common word",
    isPromised: true,
    ours: { query: sought.common },
    notmuch: sought.common,
    mu: sought.common,
  },
  {
    what: "a phrase",
    isPromised: true,
    ours: { query: sought.phrase },
    notmuch: sought.phrase,
    mu: sought.phrase,
  },
  {
    what: "a Chinese word of two characters",
    isPromised: true,
    ours: { query: sought.chinese },
    notmuch: sought.chinese,
    mu: sought.chinese,
  },
  { what: "the newest ten", isPromised: true, ours: {}, notmuch: "*", mu: "" },
  {
    what: "a common word from a rare sender",
    ours: { query: sought.common, from: sought.rareSender },
    notmuch: `${sought.common} from:${sought.rareSender}`,
    mu: `${sought.common} from:${sought.rareSender}`,
  },
  {
    what: "a common word from a frequent sender",
    ours: { query: sought.common, from: sought.frequentSender },
    notmuch: `${sought.common} from:${sought.frequentSender}`,
    mu: `${sought.common} from:${sought.frequentSender}`,
  },
  {
    what: "a common word from a host of many senders",
    ours: { query: `${sought.common} from:host17.example` },
    notmuch: `${sought.common} from:host17.example`,
    mu: `${sought.common} from:host17.example`,
  },
  {
    what: "a common word in a month",
    ours: { query: sought.common, after: "2019-03-01", before: "2019-04-01" },
    notmuch: `${sought.common} date:2019-03-01..2019-03-31`,
    mu: `${sought.common} date:20190301..20190331`,
  },
  { what: "a common word with an attachment", ours: { query: `${sought.common} has:attachment` } },
  {
    what: "a common word to nobody",
    ours: { query: `${sought.common} to:nobody@nowhere.example` },
    notmuch: `${sought.common} to:nobody@nowhere.example`,
    mu: `${sought.common} recip:nobody@nowhere.example`,
  },
  {
    what: "a common word to a frequent recipient",
    ours: { query: `${sought.common} to:${sought.frequentSender}` },
    notmuch: `${sought.common} to:${sought.frequentSender}`,
    mu: `${sought.common} recip:${sought.frequentSender}`,
  },
  {
    what: "a common word to everybody",
    ours: { query: `${sought.common} to:me@in.example` },
    notmuch: `${sought.common} to:me@in.example`,
    mu: `${sought.common} recip:me@in.example`,
  },
  {
    what: "a common word without another",
    ours: { query: `${sought.common} -${sought.rare}` },
    notmuch: `${sought.common} not ${sought.rare}`,
    mu: `${sought.common} not ${sought.rare}`,
  },
  {
    what: "one word or another",
    ours: { query: `${sought.rare} OR ${sought.common}` },
    notmuch: `${sought.rare} or ${sought.common}`,
    mu: `${sought.rare} or ${sought.common}`,
  },
  { what: "everything to a frequent recipient", ours: { query: `to:${sought.frequentSender}` } },
  { what: "everything from a rare sender", ours: { from: sought.rareSender } },
];

/** Runs the searches in turn, several times, so that a slow moment of the machine affects all of them. */
export async function measureSearches(
  dataDir: string,
  count: number,
  lengths: readonly number[],
): Promise<Searches[]> {
  const mailFolder = join(dataDir, "Mail");
  const others = {
    notmuch: pathOf("notmuch") !== undefined,
    mu: pathOf("mu") !== undefined,
  };
  const env = { NOTMUCH_CONFIG: join(dataDir, "notmuch.conf"), XDG_CACHE_HOME: dataDir };
  if (others.notmuch || others.mu) {
    if (!existsSync(mailFolder)) maildir(mailFolder, count, lengths);
    if (others.notmuch) {
      writeFileSync(
        env.NOTMUCH_CONFIG,
        `[database]\npath=${mailFolder}\n[user]\nname=me\nprimary_email=me@in.example\n[new]\ntags=\n[maildir]\nsynchronize_flags=false\n`,
      );
      console.error(
        `notmuch new: ${(run("notmuch", ["new", "--quiet"], env) / 1000).toFixed(0)} s`,
      );
    }
    if (others.mu) {
      const home = `--muhome=${join(dataDir, "mu")}`;
      rmSync(join(dataDir, "mu"), { recursive: true, force: true });
      run("mu", ["init", home, `--maildir=${mailFolder}`, "--my-address=me@in.example"]);
      console.error(`mu index: ${(run("mu", ["index", "--quiet", home]) / 1000).toFixed(0)} s`);
    }
  }
  const client = await startRaw([join(import.meta.dirname, "../../bundle/main.js"), "serve"], {
    COUNTERSIGN_DATA_DIR: dataDir,
    LOG_LEVEL: "error",
    TOOL_CALLS_PER_MINUTE: "10000",
    TOOL_CALLS_PER_TURN: "1000",
  });
  const results: Searches[] = searches.map(({ what, isPromised, notmuch, mu }) => ({
    what,
    isPromised: isPromised === true,
    found: 0,
    ours: [],
    notmuch: others.notmuch && notmuch !== undefined ? [] : undefined,
    mu: others.mu && mu !== undefined ? [] : undefined,
  }));
  for (let round = 0; round <= asked; round += 1) {
    for (const [at, search] of searches.entries()) {
      const result = results[at]!;
      const before = performance.now();
      const answer = (await client.request("tools/call", {
        name: "search_emails",
        arguments: { ...search.ours, limit: 10 },
      })) as { isError?: boolean; structuredContent?: { total: number }; content: unknown };
      const ms = performance.now() - before;
      if (answer.isError === true || answer.structuredContent === undefined)
        throw new Error(`${search.what}: ${JSON.stringify(answer.content)}`);
      result.found = answer.structuredContent.total;
      // The first round warms up: opening the database, compiling.
      if (round === 0) continue;
      result.ours.push(ms);
      if (round > asked / 4) continue;
      result.notmuch?.push(
        run("notmuch", ["search", "--output=messages", "--limit=10", search.notmuch ?? ""], env),
      );
      result.mu?.push(
        run("mu", [
          "find",
          `--muhome=${join(dataDir, "mu")}`,
          "-n",
          "10",
          "--sortfield=date",
          "--reverse",
          search.mu ?? "",
        ]),
      );
    }
  }
  await client.close();
  return results;
}
