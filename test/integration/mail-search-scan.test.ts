import { beforeAll, describe, expect, it, vi } from "vitest";
import { suiteThatIngests } from "../servers/ingest-world.ts";

/** Few letters each, so that what is looked for is often there and often nearly there. */
const alphabets: Readonly<Record<string, readonly string[]>> = {
  Chinese: Array.from("会议东京都庁，。 "),
  Japanese: Array.from("東京とうかガー。 "),
  Korean: Array.from("서울시청회의. "),
  Thai: ["ก", "รุ", "ง", "เ", "ทพ", "ม", "หา", "สวั", "ดี", " "],
};

/** Numbers that look random and are the same in every run (Numerical Recipes' generator). */
function dice(seed: number): (sides: number) => number {
  let state = seed;
  return (sides) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state % sides;
  };
}

describe("a search in scripts without spaces", () => {
  const world = suiteThatIngests();
  const texts = new Map<string, string>();

  beforeAll(async () => {
    const roll = dice(7);
    for (const letters of Object.values(alphabets)) {
      for (let count = 0; count < 40; count += 1) {
        const text = Array.from({ length: 12 }, () => letters[roll(letters.length)])
          .join("")
          .trim();
        const head = "From: a@b.example\r\nContent-Type: text/plain; charset=utf-8\r\n\r\n";
        const { emailId } = await world.ingest.keep(Buffer.from(`${head}${text}\r\n`), {
          intake: "import",
        });
        texts.set(emailId, text);
      }
    }
    await vi.waitFor(
      async () => expect((await world.stores.mail.search({ limit: 1 })).total).toBe(texts.size),
      { timeout: 60_000, interval: 20 },
    );
  }, 90_000);

  it.each(Object.entries(alphabets))("finds the same as a plain scan in %s", async (_, letters) => {
    const roll = dice(11);
    const words = letters.filter((letter) => /\p{L}/u.test(letter));
    for (let count = 0; count < 60; count += 1) {
      const query = Array.from({ length: 1 + roll(3) }, () => words[roll(words.length)]).join("");
      const { hits } = await world.stores.mail.search({ query, limit: 200 });
      const scanned = [...texts].filter(([, text]) => text.includes(query)).map(([id]) => id);
      const found = hits.map(({ emailId }) => emailId);
      expect(found.toSorted(), query).toEqual(scanned.toSorted());
      for (const { snippet } of hits) expect(snippet).toContain(query);
    }
  });
});
