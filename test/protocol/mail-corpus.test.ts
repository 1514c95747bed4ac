import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { fittingTokens, mostTokens } from "../fakes/fitting-tokens.ts";
import { storesAt } from "../servers/ingest.ts";
import { mailCorpus } from "../servers/mail-corpus.ts";
import { type TestClient, connect } from "./clients.ts";
import { type Home, newHome } from "./home.ts";
import { runProgram } from "./program.ts";

const limits = { TOOL_CALLS_PER_MINUTE: "10000", TOOL_CALLS_PER_TURN: "1000" };

const shownPage = z.object({
  content: z.string(),
  bytes: z.int(),
  encoding: z.enum(["utf-8", "base64"]),
  nextOffset: z.int().optional(),
});

function expectFit({ text, output }: Awaited<ReturnType<TestClient["call"]>>): void {
  expect(fittingTokens(text, JSON.stringify(output))).toBeLessThan(mostTokens);
}

/** Reads what a client gets, page by page, and checks that each result fits. */
async function readPages(
  client: TestClient,
  tool: string,
  args: Record<string, unknown>,
  most = Infinity,
) {
  const pieces: Buffer[] = [];
  for (let offset: number | undefined = 0; offset !== undefined && pieces.length < most;) {
    const answer = await client.call(tool, { ...args, offset });
    const { content, bytes, encoding, nextOffset } = shownPage.parse(answer.output);
    expectFit(answer);
    expect(bytes).toBeLessThanOrEqual(encoding === "utf-8" ? 32_000 : 12_000);
    expect(Buffer.byteLength(content)).toBeLessThanOrEqual(encoding === "utf-8" ? 32_003 : 16_000);
    pieces.push(Buffer.from(content, encoding));
    offset = nextOffset;
  }
  return Buffer.concat(pieces);
}

async function imported(home: Home, paths: readonly string[]) {
  const { stdout } = await runProgram(home, ["import", "--json", ...paths]);
  const line = z.object({ path: z.string(), emailId: z.string(), status: z.string() });
  return stdout
    .trim()
    .split("\n")
    .map((text) => line.parse(JSON.parse(text)));
}

const whole = { offset: 0, length: 30_000_000 };

describe.skipIf(mailCorpus === undefined)("every mail of the corpus [mail.results-fit]", () => {
  it(
    "is found by a word of its subject, and its pages and its attachments' pages make up the stored data",
    { timeout: 600_000 },
    async (t) => {
      const home = newHome(t, limits);
      const told = await imported(home, [mailCorpus!.folder]);
      expect(told.map(({ status }) => status)).not.toContain("failed");
      expect(told).toHaveLength(mailCorpus!.files.length);
      const client = await connect(home, "v2 pinned");
      const stores = storesAt(home.dir);
      home.later(() => stores.close());
      let announced = 0;
      for (const emailId of new Set(told.map((line) => line.emailId))) {
        const { subject, text, attachments } = await stores.mail.read(emailId, whole);
        const words = subject.match(/[\p{L}\p{N}]{3,}/gu) ?? [];
        const [word] = words.toSorted((one, other) => other.length - one.length);
        if (word !== undefined) {
          const found = await client.call("search_emails", { query: `"${word}"`, limit: 50 });
          expect(JSON.stringify(found.output), `${word} of ${emailId}`).toContain(emailId);
        }
        expect((await readPages(client, "read_email", { emailId })).equals(text.window)).toBe(true);
        for (const [at, { attachmentId }] of attachments.entries()) {
          const args = { emailId, attachmentId };
          const kept = await stores.mail.readAttachment(emailId, attachmentId, whole);
          // Page by page a picture of a megabyte is a hundred calls.
          const isShort = at < 5 && kept.totalBytes <= (kept.isText ? 200_000 : 40_000);
          const read = await readPages(client, "read_attachment", args, isShort ? Infinity : 3);
          if (isShort) expect(read.equals(kept.window)).toBe(true);
          if (kept.isText || kept.totalBytes <= 12_000) continue;
          // A larger binary is only announced. A page of it is returned on request.
          announced += 1;
          const first = await client.call("read_attachment", args);
          expect(first.output).toMatchObject({ content: "", totalBytes: kept.totalBytes });
          expectFit(first);
        }
      }
      expect(announced).toBeGreaterThan(0);
      expectFit(await client.call("search_emails", { limit: 50 }));
    },
  );
});

describe("a mail of 25 MB", () => {
  it(
    "is read page by page, with a note of the cut and a link to its large attachment",
    { timeout: 240_000 },
    async (t) => {
      const home = newHome(t, limits);
      const path = join(home.dir, "large.eml");
      const picture = Buffer.alloc(14_000_000, 7).toString("base64").replace(/.{76}/g, "$&\r\n");
      writeFileSync(
        path,
        [
          "From: a@b.example\r\nSubject: large\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n",
          `--b\r\nContent-Type: text/plain\r\n\r\n${"Some words of a long letter.\r\n".repeat(190_000)}`,
          "--b\r\nContent-Type: image/png; name=p.png\r\nContent-Transfer-Encoding: base64\r\n\r\n",
          `${picture}\r\n--b--\r\n`,
        ].join(""),
      );
      const [{ emailId, status }] = z
        .tuple([z.object({ emailId: z.string(), status: z.string() })])
        .parse(await imported(home, [path]));
      expect(status).toBe("stored");
      const client = await connect(home, "v1");
      const text = (await readPages(client, "read_email", { emailId })).toString();
      expect(text).toMatch(
        /^Some words[^]*\[Cut here: \d+ more bytes are in the raw message only\.\]\n$/,
      );
      const { output } = await client.call("read_email", { emailId });
      const [{ id }] = z.tuple([z.object({ id: z.string() })]).parse(output?.["attachments"]);
      const told = await client.call("read_attachment", { emailId, attachmentId: id });
      expect(told.output).toMatchObject({ content: "", totalBytes: 14_000_000 });
      expect(told.links).toMatchObject([{ size: 14_000_000, mimeType: "image/png" }]);
      expect(told.text.length).toBeLessThan(1_000);
    },
  );
});
