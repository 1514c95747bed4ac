import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { examineAfter } from "../fakes/flow-with.ts";

const doorMail =
  "Hi, the door code of the flat is 4711-KX. Write to lena.hoffmann@example.org about the blue bicycle in the cellar.";

const words = "public garden report about weather and roads in many towns ".split(" ");
const prose = (length: number): string => {
  let text = "";
  for (let at = 0; text.length < length; at += 1)
    text += `${words[(at * 7 + (at >> 3)) % words.length]} `;
  return text.slice(0, length);
};

/** Counts how often the event loop runs until the work ends. */
async function turnsOf(work: () => Promise<unknown>): Promise<number> {
  let turns = 0;
  let isRunning = true;
  const count = (): void => {
    turns += 1;
    if (isRunning) setImmediate(count);
  };
  setImmediate(count);
  await work();
  isRunning = false;
  return turns;
}

describe("comparison of a long outgoing text", () => {
  it.each([0, 1_900, 2_380, 2_399, 4_310, 9_999, 31_234, 60_000])(
    "finds a code after %i characters, and its place",
    async (at) => {
      const examine = await examineAfter([doorMail]);
      const finding = await examine(`${prose(at)} 4711-KX ${prose(60_000 - at)}`);
      expect(finding?.matches.map(({ span: { start, end } }) => [start, end])).toEqual([
        [at + 1, at + 8],
      ]);
    },
  );

  // Each part of such a list was tried as the first one, and each with all that follow. That took minutes.
  it("finds a code after a long list of short parts", { timeout: 60_000 }, async () => {
    const list = "A1,".repeat(60_000);
    const examine = await examineAfter([doorMail]);
    const finding = await examine(`${list}x 4711-KX`);
    expect(finding?.matches.map(({ span: { start } }) => start)).toEqual([list.length + 2]);
  });

  it.each([
    ["base64", (text: string) => Buffer.from(text).toString("base64")],
    [
      "base64 in lines",
      (text: string) => Buffer.from(text).toString("base64").replace(/.{76}/g, "$&\r\n"),
    ],
    [
      "base64 of base64",
      (text: string) => Buffer.from(Buffer.from(text).toString("base64")).toString("base64"),
    ],
    ["hexadecimal", (text: string) => Buffer.from(text).toString("hex")],
    ["percent", (text: string) => Buffer.from(text).toString("hex").replace(/../g, "%$&")],
    ["gzip", (text: string) => gzipSync(text).toString("base64")],
    ["zero-width characters between others", (text: string) => Array.from(text).join("\u200B")],
    [
      "a window of zero-width characters in the code",
      (text: string) => text.replace("4711", `47${"\u200B".repeat(5_000)}11`),
    ],
    [
      "a window of spaces in the code",
      (text: string) => text.replace("4711", `47${" ".repeat(5_000)}11`),
    ],
    ["the opposite order", (text: string) => Array.from(text).toReversed().join("")],
  ])("finds a code in %s", async (_how, write) => {
    const examine = await examineAfter([doorMail]);
    const long = `${prose(9_000)} 4711-KX ${prose(7_000)}`;
    expect((await examine(write(long)))?.matches.length).toBeGreaterThan(0);
    expect(await examine(write(prose(16_000)))).toBeUndefined();
  });

  it("asks about a text that is too long to be compared", async () => {
    const examine = await examineAfter([doorMail]);
    expect(await examine(prose(200_000))).toBeUndefined();
    expect((await examine(prose(200_001)))?.reason).toMatch(/too long/);
  });

  it("asks about compressed text that is too long to be compared", async () => {
    const examine = await examineAfter([doorMail]);
    const zipped = gzipSync(`${" ".repeat(1_000_000)}4711-KX`).toString("base64");
    expect(zipped.length).toBeLessThan(2_000);
    expect((await examine(zipped))?.reason).toMatch(/too long/);
  });

  it("asks about a text that can be decoded in too many ways", async () => {
    const examine = await examineAfter([doorMail]);
    const decoys =
      "%42%43 =41=42 &#65;&#66; 61 62 63 64 01100001 01100010 01100011 65 66 67 68 0x4142434445 MFRGGZDF ab9cde fgh8ij kl7mno \\141\\142\\143 <~87cURD]i,~> 116 117 118 119 65666768 YWJjZGVm";
    const finding = await examine(`${decoys} ${Buffer.from("4711-KX").toString("base64")}`);
    expect(finding).toBeDefined();
  });

  it("lets other calls run at least every few thousand characters", async () => {
    const examine = await examineAfter([doorMail]);
    for (const text of [
      prose(100_000),
      "4 ".repeat(50_000),
      Buffer.from(prose(75_000)).toString("hex"),
    ])
      expect(await turnsOf(() => examine(text))).toBeGreaterThanOrEqual(100_000 / 4_000);
  });
});
