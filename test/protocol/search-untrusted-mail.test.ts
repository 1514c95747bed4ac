import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { type TestClient, connect } from "./clients.ts";
import { newHome } from "./home.ts";
import { startHttp } from "./http-server.ts";
import { runProgram } from "./program.ts";

const mails = 50;
const bytes = 120_000;
const searchesAtOnce = 3;
const tries = 2;

/** Makes a message that repeats a text. Only a search through the whole text finds the word after it. */
function message(number: number, word: string, text: string): string {
  const line = `${text.repeat(Math.ceil(90 / Buffer.byteLength(text)))}\n`;
  const body = line.repeat(Math.ceil(bytes / Buffer.byteLength(line)));
  const head = `From: Ann <ann@example.org>\nSubject: Number ${number}\nMessage-ID: <${word}${number}@example.org>\nContent-Type: text/plain; charset=utf-8\n`;
  return `${head}\n${body}\n${word} ${number}\n`;
}

/** Returns the milliseconds of simultaneous searches, and the longest of another caller's small calls meanwhile. */
async function timed(searcher: TestClient, other: TestClient, query: string) {
  let isOver = false;
  let longestWait = 0;
  const waiting = (async () => {
    while (!isOver) {
      const asked = performance.now();
      await other.call("list_files");
      longestWait = Math.max(longestWait, performance.now() - asked);
    }
  })();
  const began = performance.now();
  const found = await Promise.all(
    Array.from({ length: searchesAtOnce }, () =>
      searcher.call("search_emails", { query, limit: mails }),
    ),
  );
  const took = performance.now() - began;
  isOver = true;
  await waiting;
  for (const { output } of found) expect(output).toMatchObject({ total: mails });
  return { took, longestWait };
}

describe("searches of mail from unknown senders", () => {
  // Fifty messages of U+FDFA, which folds into 18 letters, and one search blocked all other callers for 22 seconds.
  it(
    "delay other callers no longer if each letter folds into eighteen",
    { timeout: 120_000 },
    async (t) => {
      const home = newHome(t);
      const texts = { ordinary: "The lamp in the hall needs a new bulb. ", folding: "\uFDFA" };
      const paths = Object.entries(texts).flatMap(([word, text]) =>
        Array.from({ length: mails }, (_, number) => {
          const path = join(home.dir, `${word}${number}.eml`);
          writeFileSync(path, message(number, word, text));
          return path;
        }),
      );
      expect((await runProgram(home, ["import", ...paths])).code).toBe(0);
      const server = startHttp(home);
      const [searcher, other] = await Promise.all([
        connect(home, "v2 pinned", { at: server }),
        connect(home, "v2 pinned", { at: server, as: "bob" }),
      ]);
      const least = { ordinary: Infinity, folding: Infinity, share: Infinity };
      for (let at = 0; at < tries; at += 1) {
        const ordinary = await timed(searcher, other, "ordinary");
        const folding = await timed(searcher, other, "folding");
        least.ordinary = Math.min(least.ordinary, ordinary.took);
        least.folding = Math.min(least.folding, folding.took);
        least.share = Math.min(least.share, folding.longestWait / folding.took);
      }
      // Unbounded folding takes 50 times as long as the search of ordinary text, and folding in one go keeps all others
      // waiting until it ends.
      expect(least.folding).toBeLessThan(15 * least.ordinary);
      expect(least.share).toBeLessThan(0.5);
    },
  );
});
