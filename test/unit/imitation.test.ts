import { describe, expect, it } from "vitest";
import { imitates, mixesAlphabets } from "../../src/core/shared/text/imitation.ts";

describe("a name that imitates ours", () => {
  it.each([
    "Countersign",
    "COUNTER-SIGN approvals",
    "c.o.u.n.t.e.r.s.i.g.n",
    "Сountersign",
    "Cοuntеrsign",
    "Countersıgn",
    "Ｃountersign",
    "C0unter5ign",
    "Counters1gn",
    "CounterslGN",
    "𝗖𝗼𝘂𝗻𝘁𝗲𝗿𝘀𝗶𝗴𝗻",
    "ᴄᴏᴜɴᴛᴇʀꜱɪɢɴ",
    "Ⅽountersign",
    "Countersigո",
    "Coun\u0301tersi\u0323gn",
    "Count\u200Bersign",
    "Countеr sign (official)",
  ])("is found in %s", (name) => {
    expect(imitates(name, "countersign")).toBe(true);
  });

  it.each([
    "Claude",
    "ChatGPT",
    "Visual Studio Code",
    "Discount, or sign",
    "Контакт",
    "カウンター",
  ])("is not found in %s", (name) => {
    expect(imitates(name, "countersign")).toBe(false);
  });
});

describe("a name of mixed alphabets", () => {
  it.each(["Сlaude", "ChаtGPT", "Clαude"])("is noticed: %s", (name) => {
    expect(mixesAlphabets(name)).toBe(true);
  });

  it.each(["Claude", "Claude для работы", "Café Ünïcode", "Tシャツ", "Помощник 2", "Ελληνικά app"])(
    "is not noticed when each word has one: %s",
    (name) => {
      expect(mixesAlphabets(name)).toBe(false);
    },
  );
});
