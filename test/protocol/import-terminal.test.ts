import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, describe, expect, inject, it } from "vitest";
import { newHome } from "./home.ts";
import { runProgram } from "./program.ts";
import { runAtTerminal } from "./terminal.ts";

const mail = (number: number): string =>
  `Subject: number ${number}\n\n${`word${number}\n`.repeat(200)}`;

/** Writes forty messages, half of them in an mbox file, and one that cannot be imported. */
function someMail(t: TestContext) {
  const home = newHome(t);
  const folder = join(home.dir, "old");
  mkdirSync(folder);
  const numbers = Array.from({ length: 20 }, (_, index) => index);
  for (const number of numbers) writeFileSync(join(folder, `${number}.eml`), mail(number));
  const archive = numbers.map(
    (number) => `From a Mon Jan  5 10:00:00 2026\n${mail(number + 20)}\n`,
  );
  writeFileSync(join(folder, "archive.mbox"), archive.join(""));
  writeFileSync(join(folder, "empty.eml"), "");
  return { home, folder };
}

describe.concurrent("an import that is watched", () => {
  it.skipIf(inject("missingServers").includes("script"))(
    "has a bar that grows to its end and is gone then, above it what failed, below it the sum [mail.import-progress]",
    async (t) => {
      const { home, folder } = someMail(t);
      const { code, stdout } = await runAtTerminal(home, ["import", folder], () => "");
      expect(code).toBe(1);
      const drawn = stdout.split(/[\r\n]/).map((line) => line.replace("\u001B[K", ""));
      const bars = drawn.flatMap((line) => {
        const bar = /^\[(#*)(-*)\] +(\d+) % {2}(\d+) messages?, (\d+) failed$/.exec(line);
        if (bar === null) return [];
        expect(line.length).toBeLessThan(80);
        const [, full = "", rest = "", percent, count, failed] = bar;
        const share = full.length / (full.length + rest.length);
        return [{ share, percent: Number(percent), count: Number(count), failed: Number(failed) }];
      });
      expect(bars.map(({ count }) => count)).toEqual(
        bars.map(({ count }) => count).toSorted((a, b) => a - b),
      );
      expect(bars.map(({ percent }) => percent)).toEqual(
        bars.map(({ percent }) => percent).toSorted((a, b) => a - b),
      );
      for (const { share, percent } of bars)
        expect(Math.abs(share * 100 - percent)).toBeLessThan(5);
      expect(bars.find(({ count }) => count === 11)?.percent).toBeLessThan(50);
      expect(bars.at(-1)).toEqual({ share: 1, percent: 100, count: 41, failed: 1 });
      expect(drawn).toContain(`${join(folder, "empty.eml")}: the file is empty`);
      expect(drawn.at(-2)).toBe("40 stored, 0 duplicates, 1 failed.");
    },
  );

  it("has no progress in a pipe, only failures and the total", async (t) => {
    const { home, folder } = someMail(t);
    const { stdout, stderr } = await runProgram(home, ["import", folder]);
    expect(stdout).toBe("40 stored, 0 duplicates, 1 failed.\n");
    expect(stderr).toBe(`${join(folder, "empty.eml")}: the file is empty\n`);
  });
});
