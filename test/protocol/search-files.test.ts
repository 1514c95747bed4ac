import { describe, expect, it, vi } from "vitest";
import { z } from "zod";
import { docxOf, pdfOf } from "../fixtures/documents.ts";
import { type TestClient, connectHere } from "./clients.ts";
import { type Home, ingestHere, newHome } from "./home.ts";
import { runHere } from "./program.ts";

const found = z.object({
  files: z.array(z.object({ key: z.string(), snippet: z.string().optional() })),
  total: z.number(),
  pending: z.number(),
  nextCursor: z.string().optional(),
});

function homeWithSearch(t: Parameters<typeof newHome>[0]): Home {
  return newHome(t, { FILE_SEARCH: "true" });
}

async function write(client: TestClient, key: string, content: string | Uint8Array) {
  const isText = typeof content === "string";
  await client.call("write_file", {
    key,
    content: isText ? content : Buffer.from(content).toString("base64"),
    ...(!isText && { encoding: "base64" }),
    ...(key.endsWith(".pdf") && { mediaType: "application/pdf" }),
  });
}

/** Repeats a search until it includes every file, because reading the documents takes time. */
async function search(client: TestClient, query: string) {
  return await vi.waitFor(
    async () => {
      const { text, output } = await client.call("search_files", { query });
      const answer = found.parse(output);
      expect(answer.pending).toBe(0);
      return { text, ...answer };
    },
    { timeout: 60_000 },
  );
}

async function keysOf(client: TestClient, query: string): Promise<string[]> {
  return (await search(client, query)).files.map(({ key }) => key);
}

describe.concurrent("search_files [files.search]", { timeout: 120_000 }, () => {
  it("finds words in text and documents, in names, and by the query language of mail", async (t) => {
    const client = await connectHere(homeWithSearch(t), "v2 legacy");
    await write(client, "notes/boiler.md", "The boiler's number is 4711.\nCall the fitter.");
    await write(client, "manual.pdf", pdfOf("Pressure of the boiler: two bar"));
    await write(client, "letter.docx", docxOf("<w:p><w:r><w:t>Dear fitter</w:t></w:r></w:p>"));
    await write(client, "kyoto.txt", "京都の天気は晴れです");
    const { text, files, total } = await search(client, "boiler");
    t.expect(files.map(({ key }) => key)).toEqual(["notes/boiler.md", "manual.pdf"]);
    t.expect(total).toBe(2);
    t.expect(files[0]?.snippet).toContain("number is 4711");
    t.expect(text).toMatch(/\[untrusted [^\]]+\]\nnotes\/boiler\.md/);
    t.expect(await keysOf(client, "fitter -boiler")).toEqual(["letter.docx"]);
    t.expect(await keysOf(client, "pressure OR dear")).toHaveLength(2);
    t.expect(await keysOf(client, "天気")).toEqual(["kyoto.txt"]);
    t.expect(await keysOf(client, "subject:manual")).toEqual(["manual.pdf"]);
    t.expect(await keysOf(client, "filename:pdf")).toEqual(["manual.pdf"]);
    t.expect(await keysOf(client, "boiler older_than:1d")).toEqual([]);
    t.expect(await keysOf(client, "")).toHaveLength(4);
  });

  it("has each version as soon as it is written, deleted or undone", async (t) => {
    const home = homeWithSearch(t);
    const client = await connectHere(home, "v2 legacy");
    await write(client, "a.md", "first word: apple");
    t.expect(await keysOf(client, "apple")).toEqual(["a.md"]);
    await write(client, "a.md", "second word: pear");
    t.expect(await keysOf(client, "apple")).toEqual([]);
    t.expect(await keysOf(client, "pear")).toEqual(["a.md"]);
    // Another program removes it.
    await home.objectSql("DELETE FROM objects WHERE key = 'files/a.md'");
    t.expect(await keysOf(client, "pear")).toEqual([]);
    t.expect(await home.sql("SELECT 1 FROM indexed_files")).toEqual([]);
    t.expect(
      await home.sql("SELECT rowid FROM file_words WHERE file_words MATCH 'pear OR apple'"),
    ).toEqual([]);
  });

  it("continues with a cursor, and names parts of a query that fit mail only", async (t) => {
    const client = await connectHere(homeWithSearch(t), "v2 legacy");
    for (const name of ["a", "b", "c"]) await write(client, `${name}.md`, "the same word");
    // A file that is entered between the pages would move the second page.
    await search(client, "same");
    const first = found.parse(
      (await client.call("search_files", { query: "same", limit: 2 })).output,
    );
    const { nextCursor: cursor } = first;
    const second = await client.call("search_files", { query: "same", limit: 2, cursor });
    const keys = [...first.files, ...found.parse(second.output).files].map(({ key }) => key);
    t.expect(keys.toSorted()).toEqual(["a.md", "b.md", "c.md"]);
    const other = await client.call("search_files", { query: "other", cursor });
    t.expect(other.error?.kind).toBe("invalid_input");
    const { text } = await search(client, "same from:ann");
    t.expect(text).toContain('"from:" does not apply to files.');
  });

  it("is prepared by the leader", async (t) => {
    const home = homeWithSearch(t);
    const client = await connectHere(home, "v2 legacy");
    await write(client, "a.md", "one word");
    await ingestHere(home, home.env);
    await vi.waitFor(
      async () =>
        expect(await home.sql("SELECT key FROM indexed_files")).toEqual([{ key: "a.md" }]),
      { timeout: 30_000 },
    );
  });

  it("is listed only with FILE_SEARCH [settings.effect]", async (t) => {
    const listed = async (home: Home) =>
      (await (await connectHere(home, "v2 legacy")).listTools()).map(({ name }) => name);
    t.expect(await listed(newHome(t))).not.toContain("search_files");
    t.expect(await listed(homeWithSearch(t))).toContain("search_files");
    t.expect((await runHere(newHome(t, { FILE_SEARCH: "yes" }), ["doctor"])).code).not.toBe(0);
  });
});
