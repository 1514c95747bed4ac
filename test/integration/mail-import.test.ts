import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { createInterface } from "node:readline";
import { describe, expect, it } from "vitest";
import { temporaryDirectory } from "../fakes/temporary-directory.ts";
import { program, runCommandHere, storesAt } from "../servers/ingest.ts";

/** Runs `countersign import` in this process. The two tests of its output and its end start a process. */
async function runImport(dataDir: string, args: readonly string[]) {
  const { status, stdout, stderr } = await runCommandHere(dataDir, ["import", ...args]);
  const lines = stdout.split("\n").filter((line) => line.startsWith("{"));
  return {
    status,
    stdout,
    stderr,
    told: lines.map(
      (line) =>
        JSON.parse(line) as { path: string; emailId?: string; status: string; reason?: string },
    ),
  };
}

function mailFolder(files: Readonly<Record<string, string>>): string {
  const folder = temporaryDirectory();
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(join(folder, name, ".."), { recursive: true });
    writeFileSync(join(folder, name), content, "latin1");
  }
  return folder;
}

describe("countersign import", () => {
  it("imports .eml files in order, reports each, and returns when they are searchable [mail.import]", async () => {
    const dataDir = temporaryDirectory();
    const folder = mailFolder({
      "b.eml": "Subject: second\n\nbeta\n",
      "a.eml": "Subject: first\r\n\r\nalpha\r\n",
      "deeper/c.EML": "Subject: third\n\ngamma\n",
      "same.eml": "Subject: first\n\nalpha\n\n",
      "notes.txt": "not a mail",
    });
    const { status, told } = await runImport(dataDir, [
      "--json",
      folder,
      join(folder, "absent.eml"),
    ]);
    expect(status).toBe(1);
    expect(
      told.map(({ path, ...rest }) => ({ path: path.slice(folder.length + 1), ...rest })),
    ).toEqual([
      { path: "a.eml", emailId: expect.any(String) as string, status: "stored" },
      { path: "b.eml", emailId: expect.any(String) as string, status: "stored" },
      { path: "deeper/c.EML", emailId: expect.any(String) as string, status: "stored" },
      { path: "same.eml", emailId: told[0]?.emailId, status: "duplicate" },
      { path: "absent.eml", status: "failed", reason: "the file does not exist" },
    ]);
    const stores = storesAt(dataDir);
    for (const word of ["alpha", "beta", "gamma"]) {
      expect((await stores.mail.search({ query: word, limit: 5 })).total).toBe(1);
    }
    await stores.close();
    const again = await runImport(dataDir, [folder]);
    expect(again).toMatchObject({ status: 0, stdout: "0 stored, 4 duplicates, 0 failed.\n" });
  });

  it("reports a message when it is searchable, not before", async () => {
    // None is the beginning of another: the last word of a search may be one.
    const files = Array.from({ length: 60 }, (_, index) => [
      `${index + 10}.eml`,
      `Subject: a mail\n\nword${index + 10}\n`,
    ]);
    const folder = mailFolder(Object.fromEntries(files) as Record<string, string>);
    const dataDir = temporaryDirectory();
    const stores = storesAt(dataDir);
    const env = { PATH: process.env["PATH"], COUNTERSIGN_DATA_DIR: dataDir };
    const child = spawn(process.execPath, [program, "import", "--json", folder], { env });
    const closed = once(child, "close");
    const untimely: string[] = [];
    let told = 0;
    for await (const line of createInterface({ input: child.stdout })) {
      told += 1;
      const { path } = JSON.parse(line) as { path: string };
      const query = `word${basename(path, ".eml")}`;
      if ((await stores.mail.search({ query, limit: 1 })).total !== 1) untimely.push(path);
    }
    expect({ told, untimely }).toEqual({ told: 60, untimely: [] });
    expect(await closed).toEqual([0, null]);
    await stores.close();
  });

  it("reports a pipe, and a directory without mail", async () => {
    const folder = mailFolder({ "notes.txt": "not a mail" });
    const pipe = join(folder, "pipe.eml");
    spawnSync("mkfifo", [pipe]);
    const piped = await runImport(temporaryDirectory(), ["--json", pipe]);
    expect(piped.told).toEqual([
      { path: pipe, status: "failed", reason: "it is neither a file nor a directory" },
    ]);
    const none = join(folder, "empty");
    mkdirSync(none);
    const { status, stderr, stdout } = await runImport(temporaryDirectory(), [none]);
    expect(status).toBe(0);
    expect(stderr).toContain(`${none}: it contains no mail.`);
    expect(stdout).toBe("0 stored, 0 duplicates, 0 failed.\n");
  });

  it(
    "reports what it imported after an interruption, and how to continue",
    { timeout: 60_000 },
    async () => {
      const files = Array.from({ length: 2_000 }, (_, index) => [
        `${index}.eml`,
        `Subject: ${index}\n\nx\n`,
      ]);
      const folder = mailFolder(Object.fromEntries(files) as Record<string, string>);
      const env = { PATH: process.env["PATH"], COUNTERSIGN_DATA_DIR: temporaryDirectory() };
      const child = spawn(process.execPath, [program, "import", "--json", folder], { env });
      let told = "";
      let said = "";
      child.stderr.on("data", (text: Buffer) => (said += text.toString()));
      child.stdout.on("data", (text: Buffer) => {
        if (told === "") child.kill("SIGINT");
        told += text.toString();
      });
      const [code] = (await once(child, "close")) as [number | null];
      expect(code).toBe(130);
      expect(said).toContain("Stopped before the end.");
      const lines = told.trim().split("\n");
      expect(lines.length).toBeLessThan(2_000);
      expect(lines.every((line) => line.includes('"status":"stored"'))).toBe(true);
    },
  );

  it("stores no second copy of a text that its message contains", async () => {
    const dataDir = temporaryDirectory();
    const text = `A lamp.\n\n${"It is lit at dusk. ".repeat(2_500)}zebrafinch`;
    const folder = mailFolder({
      "1.eml": `Subject: as it is\n\n \n${text}\n\n`,
      "2.eml": `Subject: other line ends\r\n\r\n${text.replaceAll("\n", "\r\n")}\r\n`,
    });
    expect((await runImport(dataDir, [folder])).status).toBe(0);
    const stores = storesAt(dataDir);
    const texts = await stores.objects.list({ prefix: "mail/text/", limit: 10 });
    expect(texts.objects).toHaveLength(1);
    const { hits } = await stores.mail.search({ query: "zebrafinch", limit: 10 });
    expect(hits.map(({ snippet }) => snippet?.includes("zebrafinch"))).toEqual([true, true]);
    for (const { emailId } of hits) {
      const whole = (await stores.mail.read(emailId, { offset: 0, length: 1e6 })).text;
      expect(Buffer.from(whole.window).toString()).toBe(text);
      expect(whole.totalBytes).toBe(text.length);
      const end = (await stores.mail.read(emailId, { offset: text.length - 5, length: 100 })).text;
      expect(Buffer.from(end.window).toString()).toBe("finch");
      const behind = (await stores.mail.read(emailId, { offset: text.length, length: 10 })).text;
      expect(behind.window).toHaveLength(0);
    }
    await stores.close();
  });

  it("prints its usage without arguments", async () => {
    const { status, stderr } = await runImport(temporaryDirectory(), []);
    expect(status).toBe(2);
    expect(stderr).toContain('"countersign import" needs PATH.');
  });
});

const nested = Array.from(
  { length: 300 },
  (_, depth) => `Content-Type: multipart/mixed; boundary=b${depth}\n\n--b${depth}\n`,
);
const headers = `X-Filler: ${"x".repeat(900)}\n`.repeat(2_400);

describe("a malicious message", () => {
  const hostile = {
    "deep.eml": `From: eve@example.org\nSubject: hostile depth\n${nested.join("")}\nhidden deep down\n`,
    "headers.eml": `Subject: hostile headers\n${headers}\n\nbehind two megabytes\n`,
    "plain.eml": `Subject: hostile plain\n\n${"many words in one text\n".repeat(300_000)}`,
    "one-line.eml": `Subject: hostile line\n\n${"<".repeat(3_000_000)}`,
    "html.eml": `Subject: hostile html\nContent-Type: text/html\n\n${"<div><table><tr><td>".repeat(60_000)}`,
    "recipients.eml": `Subject: hostile recipients\nTo: ${"a@example.org, ".repeat(20_000)}b@example.org\n\nx`,
    "parts.eml": `Subject: hostile parts\nContent-Type: multipart/mixed; boundary=b\n\n${"--b\nContent-Disposition: attachment\n\nx\n".repeat(20_000)}`,
    "words.eml": `Subject: =?utf-8?B?${"=?utf-8?B?".repeat(5_000)}\n\nhostile words`,
    "nothing.eml": "\n",
    "binary.eml": Buffer.from(
      Array.from({ length: 5_000 }, (_, index) => (index * 7_919) % 256),
    ).toString("latin1"),
  };

  it(
    "is stored, listed and readable, and delays no other [mail.hostile]",
    { timeout: 120_000 },
    async () => {
      const dataDir = temporaryDirectory();
      const folder = mailFolder({ ...hostile, "zz-last.eml": "Subject: harmless\n\nhello\n" });
      const { told } = await runImport(dataDir, ["--json", folder]);
      expect(told.map(({ path, status }) => `${path.slice(folder.length + 1)} ${status}`)).toEqual(
        [...Object.keys(hostile), "zz-last.eml"].toSorted().map((name) => `${name} stored`),
      );
      const stores = storesAt(dataDir);
      for (const { emailId } of told) {
        const mail = await stores.mail.read(emailId!, { offset: 0, length: 40_000 });
        expect(mail.text.totalBytes).toBeLessThan(2_100_000);
      }
      const { hits } = await stores.mail.search({ query: "hostile", limit: 50 });
      expect(hits.map(({ subject }) => subject)).toEqual(
        expect.arrayContaining([
          "hostile depth",
          "hostile headers",
          "hostile plain",
          "hostile line",
          "hostile html",
        ]),
      );
      const deep = hits.find(({ subject }) => subject === "hostile depth")!;
      const { text, from } = await stores.mail.read(deep.emailId, { offset: 0, length: 40_000 });
      expect(from.address).toBe("eve@example.org");
      expect(Buffer.from(text.window).toString()).toMatch(
        /^\[This message could not be read as a mail \(its parts are nested too deeply\)/,
      );
      expect(Buffer.from(text.window).toString()).toContain("hidden deep down");
      const { stdout } = await runCommandHere(dataDir, ["mail", "show", deep.emailId]);
      expect(stdout).toContain("its parts are nested too deeply");
      await stores.close();
    },
  );
});
