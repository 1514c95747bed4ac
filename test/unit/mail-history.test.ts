import { describe, expect, it } from "vitest";
import { parseMessage } from "../../src/ingest/mime/parse-message.ts";
import { historyMark, partHistory } from "../../src/ingest/text/quoted-history.ts";

const quote = (lines: number): string =>
  Array.from({ length: lines }, (_, index) => `> Line ${index} of what was said.`).join("\n");

describe("the quoted history of a message", () => {
  it.each([
    ["Gmail's", "On Mon, Mar 2, 2026 at 2:25 PM Ann Lee <ann@shop.example> wrote:"],
    ["a folded one", "On Mon, Mar 2, 2026 at 2:25 PM Ann Lee\n<ann@shop.example> wrote:"],
    ["a German", "Am 02.03.26 um 14:25 schrieb Ann Lee:"],
    ["a French", "Le lun. 2 mars 2026 à 14:25, Ann Lee <ann@shop.example> a écrit :"],
    ["a Japanese", "2026年3月2日(月) 14:25 Ann Lee <ann@shop.example>:"],
    ["a Chinese", "Ann Lee <ann@shop.example> 于2026年3月2日周一 14:25写道："],
  ])("is last, with its introduction: %s", (_whose, introduction) => {
    const history = `${introduction}\n\n${quote(3)}`;
    expect(partHistory(`Thanks, that works.\nBye\n\n${history}`)).toEqual({
      fresh: "Thanks, that works.\nBye",
      history,
    });
  });

  it("is the text below Outlook's head", () => {
    const history =
      "From: Ann Lee <ann@shop.example>\nSent: Monday, March 2, 2026 2:25 PM\nTo: Bob\nSubject: Lamp\n\nHello\n\n-----Original Message-----\nFrom: Zoe";
    const lined = `${"_".repeat(32)}\n${history}`;
    expect(partHistory(`New words.\n\n${history}`)).toEqual({ fresh: "New words.", history });
    expect(partHistory(`New words.\n\n${lined}`)).toEqual({ fresh: "New words.", history: lined });
  });

  it("moves below a reply that was written under it, if it is long", () => {
    const introduction = "On Monday 2026-03-02, Ann wrote:";
    const parted = partHistory(`Hi\n\n${introduction}\n${quote(200)}\n\nThe answer.\n\n--\nBob`);
    expect(parted.fresh).toBe(
      "Hi\n\n[200 quoted lines were moved to the end.]\n\nThe answer.\n\n--\nBob",
    );
    expect(parted.history).toBe(`${introduction}\n${quote(200)}`);
  });

  it.each([
    ["stands between the lines of an answer", "> Red?\n\nNo.\n\n> Blue?\n\nYes."],
    ["is all there is", `Ann wrote:\n${quote(3)}`],
    ["is none", "Who comes?\nFrom: my side, Bob.\n\nBye"],
  ])("stays in place if it %s", (_when, text) => {
    expect(partHistory(text)).toEqual({ fresh: text, history: "" });
  });

  it("of a message with an HTML part is separated too, after the attachments", async () => {
    const head =
      "From: a@b.example\r\nSubject: Re: Lamp\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n";
    const html =
      '<p>New.</p><div class="gmail_quote"><div>On Mon, Mar 2, 2026 at 2:25 PM Ann &lt;ann@shop.example&gt; wrote:<br></div><blockquote><p>Old.</p></blockquote></div>';
    const status = "--b\r\nContent-Type: message/delivery-status\r\n\r\nStatus: 5.1.1\r\n";
    const message = `${head}--b\r\nContent-Type: text/html\r\n\r\n${html}\r\n${status}--b--`;
    const { text } = await parseMessage(Buffer.from(message), new Date());
    expect(Buffer.from(text).toString()).toBe(
      `New.\n\nStatus: 5.1.1\n\n${historyMark}\n\nOn Mon, Mar 2, 2026 at 2:25 PM Ann <ann@shop.example> wrote:\n\n> Old.`,
    );
  });

  it("is empty in a forwarded message", async () => {
    const body =
      "See below.\n\n---------- Forwarded message ---------\nFrom: Ann Lee <ann@shop.example>\nDate: Mon, Mar 2, 2026 at 2:25 PM\nSubject: Lamp\nTo: <bob@example.org>\n\nIt is broken.";
    const message = `From: o@example.org\nSubject: Fwd: Lamp\n\n${body}`;
    const { text } = await parseMessage(Buffer.from(message), new Date());
    expect(Buffer.from(text).toString()).toBe(body);
  });
});
