import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { describe, expect, it, onTestFinished } from "vitest";
import { mainMigrations, openDatabase } from "../../src/adapters/libsql/driver/database.ts";
import { createLedger } from "../../src/adapters/libsql/flow/ledger.ts";
import { tokenBytes } from "../../src/core/flow/hasher.ts";
import { type LedgerContent, type SourceKind, ledgerBytes } from "../../src/core/flow/ledger.ts";
import { flowOver, marksOfWords } from "../fakes/flow-with.ts";
import { quietLog } from "../fakes/quiet-log.ts";
import { temporaryDirectory } from "../fakes/temporary-directory.ts";
import { type SearchedMail, openSearchedMailbox } from "./searched-mail.ts";

function openLedger() {
  const url = pathToFileURL(join(temporaryDirectory(), "ledger.db")).href;
  const database = openDatabase({ url, migrations: mainMigrations, log: quietLog });
  onTestFinished(() => database.close());
  return createLedger(database, { lastsMs: 86_400_000 });
}

const content = (id: string, marks: readonly number[], digest = id): LedgerContent => ({
  source: { kind: "mail", id, writtenBy: "other", verified: true },
  digest,
  marks: Uint8Array.from(marks),
});

const sending = { destination: "web_search", setting: "ask-if-private" } as const;

/** An item whose marks take more than half of a caller's space. */
const longContent = (kind: SourceKind, id: string): LedgerContent => ({
  ...content(id, []),
  source: { ...content(id, []).source, kind, id },
  marks: marksOfWords((0.6 * ledgerBytes) / tokenBytes),
});

const mailWith = (body: string): SearchedMail => ({
  subject: "subject",
  body,
  from: { address: "lena@example.org" },
  to: [],
  cc: [],
  date: new Date(0),
  hasAttachment: false,
});

const newer = { given: 0, sent: 0, destination: "web_search" };

describe("the ledger in the database", () => {
  it("stores items of different lengths together, in their order", async () => {
    const ledger = openLedger();
    const added = await ledger.add("local", [
      content("a", [1]),
      content("b", [2, 0, 255]),
      content("c", [4, 5]),
    ]);
    const { entries } = await ledger.read("local", newer);
    expect(entries).toEqual(added);
    expect(entries.map(({ id, marks }) => [id, [...marks]])).toEqual([
      ["a", [1]],
      ["b", [2, 0, 255]],
      ["c", [4, 5]],
    ]);
    expect(entries.map(({ seq }) => seq)).toEqual([1, 2, 3]);
  });

  it("gives an item that is stored again a new number", async () => {
    const ledger = openLedger();
    await ledger.add("local", [content("a", [1]), content("b", [2])]);
    const again = await ledger.add("local", [
      content("a", [1]),
      content("c", [3]),
      content("a", [1]),
    ]);
    expect(again.map(({ seq }) => seq)).toEqual([3, 4, 5]);
    const { entries } = await ledger.read("local", newer);
    expect(entries.map(({ id, seq }) => [id, seq])).toEqual([
      ["b", 2],
      ["c", 4],
      ["a", 5],
    ]);
  });

  it("stores ids with half of a character or a NUL in another form", async () => {
    const ledger = openLedger();
    await ledger.add("local", [content("a\uD800\0b", [1], "a"), content("c", [2])]);
    const { entries } = await ledger.read("local", newer);
    expect(entries.map(({ id }) => id)).toEqual(["a\uFFFD\uFFFDb", "c"]);
  });

  // A caller that read two megabytes more could send the words of its first mail without a question.
  it("says in every process that it removed items for space", async () => {
    const ledger = openLedger();
    const [flow, other] = [flowOver(ledger), flowOver(ledger)];
    const asked = async (one: typeof flow, text: string) =>
      (await one.examine({ ...sending, principal: "local", text }))?.reason;
    const secret = { ...content("em_1", []).source, texts: ["The code of the door is 83726154."] };
    await flow.given("local", [secret]);
    for (const one of [flow, other])
      expect(await asked(one, "what is 83726154")).toContain("mail em_1");
    await ledger.add("local", [longContent("mail", "em_2")]);
    await ledger.add("local", [longContent("mail", "em_3")]);
    for (const one of [flow, other, flowOver(ledger)])
      expect(await asked(one, "what is 83726154")).toContain("more private content than");
  });

  it("lets an upstream server get its own content back after a removal, and no other", async () => {
    const ledger = openLedger();
    const add = async (kind: SourceKind, id: string, digest: string) =>
      await ledger.add("local", [{ ...longContent(kind, id), digest }]);
    await add("upstream", "notes__list", "first");
    await add("upstream", "notes__list", "second");
    const flow = flowOver(ledger);
    const given = { ...sending, principal: "local", text: "83726154" };
    const gaveItself = ({ id }: { id: string }) => id.startsWith("notes__");
    expect(
      await flow.examine({ ...given, destination: "notes__read", gaveItself }),
    ).toBeUndefined();
    expect((await flow.examine(given))?.reason).toContain("more private content than");
    await add("mail", "em_1", "third");
    await add("upstream", "notes__list", "fourth");
    const back = await flow.examine({ ...given, destination: "notes__read", gaveItself });
    expect(back?.reason).toContain("more private content than");
  });

  it("reads back no text that the same process sent, and each one of another process", async () => {
    const ledger = openLedger();
    const found: number[] = [];
    const flow = flowOver({
      ...ledger,
      read: async (principal, after) => {
        const read = await ledger.read(principal, after);
        found.push(read.sent.length);
        return read;
      },
    });
    const other = flowOver(ledger);
    const given = { kind: "mail", id: "em_2", writtenBy: "other", verified: true } as const;
    await flow.given("local", [{ ...given, texts: ["The code of the safe is 837261549306."] }]);
    const asked = async (text: string) =>
      (await flow.examine({ ...sending, principal: "local", text }))?.matches.map(
        (hit) => hit.text,
      );
    const send = async (by: typeof flow, text: string): Promise<void> => {
      await by.sent({ principal: "local", destination: "web_search", text });
      await by.idle();
    };
    await send(flow, "weather in Ghent");
    expect(await asked("harbour with 837")).toBeUndefined();
    await send(flow, "harbour with 837");
    expect(await asked("tides in Ghent")).toBeUndefined();
    await send(other, "harbours with 261");
    await send(flow, "tides in Ghent");
    expect(await asked("harbour for 549")).toEqual(["837261549"]);
    await send(flow, "tides in Bruges");
    expect(await asked("harbour for 549")).toEqual(["837261549"]);
    expect(found).toEqual([1, 0, 2, 0]);
  });

  it("counts words of mails that were indexed after an earlier count", async () => {
    const mailbox = openSearchedMailbox();
    onTestFinished(() => mailbox.close());
    const ledger = createLedger(mailbox.database, { lastsMs: 86_400_000 });
    const counted: unknown[] = [];
    for (const body of ["a door code", "a door", "a key"]) {
      await mailbox.add([mailWith(body)]);
      const { mails, of } = await ledger.frequencies(["door", "key", "absent"]);
      counted.push([mails, of("door"), of("key"), of("absent")]);
    }
    expect(counted).toEqual([
      [1, 1, 0, 0],
      [2, 2, 0, 0],
      [3, 2, 1, 0],
    ]);
  });

  it("counts many words like few", async () => {
    const mailbox = openSearchedMailbox();
    onTestFinished(() => mailbox.close());
    const ledger = createLedger(mailbox.database, { lastsMs: 86_400_000 });
    await mailbox.add([mailWith("one two three four five"), mailWith("six seven eight nine ten")]);
    const words = "one two three four five six seven eight nine ten".split(" ");
    const countsOf = async (asked: readonly string[]) => {
      const { of } = await ledger.frequencies(asked);
      return asked.map(of);
    };
    await countsOf([]);
    expect(await countsOf(words)).toEqual(words.map(() => 1));
    expect(await countsOf(words.slice(0, 2))).toEqual([1, 1]);
  });
});
