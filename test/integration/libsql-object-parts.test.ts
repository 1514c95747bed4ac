import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { deflateRawSync } from "node:zlib";
import LibsqlDatabase from "libsql";
import { expect, it, onTestFinished } from "vitest";
import { openObjectStore } from "../../src/adapters/libsql/files/object-store.ts";
import { quietLog } from "../fakes/quiet-log.ts";
import { temporaryDirectory } from "../fakes/temporary-directory.ts";

const mediaType = "application/octet-stream";
const when = { kind: "absent" } as const;
const canWait = true;

function opened() {
  const directory = temporaryDirectory();
  const path = join(directory, "objects.db");
  const store = openObjectStore({ url: pathToFileURL(path).href, log: quietLog });
  onTestFinished(() => store.close());
  return { path, store };
}

type Store = ReturnType<typeof opened>["store"];

/** Writes the base64 of bytes in lines. */
function lines(bytes: Buffer, length: number, end: string): string {
  return (bytes.toString("base64").match(new RegExp(`.{1,${length}}`, "g")) ?? []).join(end);
}

function messageOf(text: string, files: readonly Buffer[], length = 76, end = "\r\n"): Buffer {
  const head = ["From: ada@example.com", "Subject: the report", "", text].join(end);
  return Buffer.from(
    [head, ...files.map((file) => lines(file, length, end)), ""].join(`${end}${end}`),
  );
}

async function read(store: Store, key: string): Promise<Buffer> {
  return Buffer.from((await store.get(key))!.body);
}

const words = (count: number): string =>
  Array.from({ length: count }, () => randomBytes(4).toString("hex")).join(" ");

it.each([
  ["lines of 76 with CRLF", 76, "\r\n"],
  ["lines of 60 with LF", 60, "\n"],
  ["one line", 10_000_000, "\r\n"],
])("stores an attachment as its place in a message with %s", async (_name, length, end) => {
  const { path, store } = opened();
  const files = [200, 1_000, 256 * 1024 + 1, 1_500_000].map((size) => randomBytes(size));
  const body = messageOf(words(10), files, length, end);
  await store.put("message", body, { mediaType, when });
  await store.close();
  const before = readFileSync(path).byteLength;
  const again = openObjectStore({ url: pathToFileURL(path).href, log: quietLog });
  onTestFinished(() => again.close());
  const within = { key: "message", body };
  for (const [at, file] of files.entries())
    await again.put(`file ${at}`, file, { mediaType, when, within });
  for (const [at, file] of files.entries()) {
    expect(Buffer.compare(await read(again, `file ${at}`), file)).toBe(0);
    const [offset, size] = [Math.floor(file.byteLength / 2) - 1, 150_000];
    const part = await again.get(`file ${at}`, { offset, length: size });
    expect(Buffer.compare(part!.body, file.subarray(offset, offset + size))).toBe(0);
  }
  await again.close();
  // The attachments doubled the bytes of a message.
  expect(readFileSync(path).byteLength - before).toBeLessThan(20_000);
});

it("stores a text as its difference from its message, even if both are stored together", async () => {
  const { path, store } = opened();
  const texts = Array.from({ length: 200 }, () => words(500));
  await Promise.all(
    texts.flatMap((text, at) => {
      const body = messageOf(text, []);
      const within = { key: `message ${at}`, body };
      return [
        store.put(`message ${at}`, body, { mediaType, when, canWait }),
        store.put(`text ${at}`, Buffer.from(text), { mediaType, when, canWait, within }),
      ];
    }),
  );
  for (const [at, text] of texts.entries())
    expect((await read(store, `text ${at}`)).toString()).toBe(text);
  await store.close();
  // Packed one by one, message and text together took more than the message.
  const messages = texts.reduce((sum, text) => sum + text.length, 0);
  expect(readFileSync(path).byteLength).toBeLessThan(messages);
});

it("stores bytes of their own if the message is missing or has something else", async () => {
  const { store } = opened();
  const [file, text] = [randomBytes(5_000), words(100)];
  const body = messageOf(text, [file]);
  const within = { key: "message", body };
  await store.put("file", file, { mediaType, when, within });
  await store.put("text", Buffer.from(text), { mediaType, when, within });
  await store.put("message", body, { mediaType, when });
  // The base64 of this text begins like that of the file.
  const other = Buffer.concat([file.subarray(0, 2_000), randomBytes(2_000)]);
  await store.put("other", other, { mediaType, when, within });
  await store.remove("message");
  expect(Buffer.compare(await read(store, "file"), file)).toBe(0);
  expect((await read(store, "text")).toString()).toBe(text);
  expect(Buffer.compare(await read(store, "other"), other)).toBe(0);
});

it("keeps the parts of a deleted message, and no other byte of it", async () => {
  const { path, store } = opened();
  const file = randomBytes(600_000);
  const small = randomBytes(300);
  const text = words(40);
  const body = messageOf(`only the message has this\r\n${text}`, [small]);
  const large = messageOf("and only this one that", [file]);
  await store.put("message", body, { mediaType, when });
  await store.put("large", large, { mediaType, when });
  await store.put("text", Buffer.from(text), { mediaType, when, within: { key: "message", body } });
  await store.put("small", small, { mediaType, when, within: { key: "message", body } });
  await store.put("file", file, { mediaType, when, within: { key: "large", body: large } });
  await store.copy("file", "copy");
  await store.copy("message", "moved");
  expect(await store.remove("message")).toBe(true);
  expect(await store.remove("large")).toBe(true);
  expect(await store.remove("message")).toBe(false);
  expect((await read(store, "text")).toString()).toBe(text);
  expect(Buffer.compare(await read(store, "small"), small)).toBe(0);
  expect(Buffer.compare(await read(store, "moved"), body)).toBe(0);
  for (const key of ["file", "copy"]) expect(Buffer.compare(await read(store, key), file)).toBe(0);
  await store.put("copy", Buffer.from("replaced"), { mediaType });
  await store.remove("moved");
  await store.emptyLog();
  const stored = readFileSync(path).toString("latin1");
  expect(stored).not.toContain(large.toString("latin1", 0, 200));
  expect(stored).not.toContain(lines(file, 76, "\r\n").slice(0, 200));
});

it("reads a part while its message is deleted", async () => {
  const { store } = opened();
  const text = words(200);
  for (let round = 0; round < 20; round += 1) {
    const body = messageOf(text, [Buffer.from(`round ${round}`.repeat(20))]);
    const within = { key: "message", body };
    await store.put("message", body, { mediaType, when });
    await store.put("text", Buffer.from(text), { mediaType, when, within });
    const [read1, , read2] = await Promise.all([
      store.get("text"),
      store.remove("message"),
      store.get("text"),
    ]);
    for (const found of [read1, read2]) expect(Buffer.from(found!.body).toString()).toBe(text);
    await store.remove("text");
  }
});

it("stores a short mail in fewer bytes than its own words allow", async () => {
  const { path, store } = opened();
  const random = words(20);
  const mail = Buffer.from(
    `From: Ada <ada@example.com>\r\nTo: <me@in.example>\r\nSubject: ${random}\r\nDate: Tue, 02 Jan 2024 12:00:00 GMT\r\nMIME-Version: 1.0\r\nMessage-ID: <1@example.com>\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Transfer-Encoding: 8bit\r\n\r\n${random}\r\n`,
  );
  const bytesOf = async (key: string): Promise<number> => {
    await store.put(key, mail, { mediaType, when });
    expect(Buffer.compare(await read(store, key), mail)).toBe(0);
    const database = new LibsqlDatabase(path);
    const row: unknown = database.prepare("SELECT max(length(bytes)) AS n FROM chunks").get();
    database.close();
    return Number((row as { n: number }).n);
  };
  expect(await bytesOf("mail")).toBeLessThan(deflateRawSync(mail).byteLength - 80);
});

it.each([1, 63, 64, 199, 16 * 1024, 256 * 1024, 256 * 1024 + 1, 600_000])(
  "returns a file that begins like a mail: %d bytes",
  async (size) => {
    const { store } = opened();
    const body = Buffer.from(`Subject: ${words(Math.ceil(size / 9))}`).subarray(0, size);
    await store.put("mail", body, { mediaType, when });
    expect(Buffer.compare(await read(store, "mail"), body)).toBe(0);
    const part = (await store.get("mail", { offset: size - 1, length: 1 }))!.body;
    expect(Buffer.from(part)).toEqual(body.subarray(size - 1));
  },
);
