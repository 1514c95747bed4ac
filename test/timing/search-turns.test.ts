import { expect, it } from "vitest";
import { longestTurn } from "../fixtures/growth.ts";
import { suiteThatIngests } from "../servers/ingest-world.ts";

const mails = 50;
/** A letter that folds into eighteen. Compressed, a text of it has a few hundred bytes. */
const folding = `${"\uFDFA".repeat(30)}\n`;

const world = suiteThatIngests();

// Each search inflated the beginnings of its fifty messages in one go, so twenty searches kept all others waiting for
// 0.6 seconds.
it(
  "a search of mail from unknown senders keeps others waiting no longer than 50 ms, and twenty together 100 ms [mail.search-turns]",
  { timeout: 120_000 },
  async () => {
    const messages = Array.from({ length: mails }, (_, at) => {
      const head = `From: Ann <ann@example.org>\nSubject: ${at}\nContent-Type: text/plain; charset=utf-8\n`;
      return `${head}\n${folding.repeat(1_300)}\nlamp ${at}\n`;
    });
    await Promise.all(messages.map((message) => world.arrived(message)));
    const { mail } = world.ingest.stores;
    const one = await longestTurn(() => mail.search({ query: "lamp", limit: mails }), 50);
    expect(one.result.hits).toHaveLength(mails);
    expect(one.ms).toBeLessThan(50);
    const searches = () =>
      Promise.all(Array.from({ length: 20 }, () => mail.search({ query: "lamp", limit: mails })));
    const { ms, result } = await longestTurn(searches, 100);
    for (const { hits } of result) expect(hits).toHaveLength(mails);
    expect(ms).toBeLessThan(100);
  },
);
