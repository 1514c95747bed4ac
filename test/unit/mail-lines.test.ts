import { describe, expect, it } from "vitest";
import { formatMail, summarizeMail } from "../../src/channels/mail-lines.ts";
import type { AdminMail } from "../../src/ports/mail/mail-admin.ts";

const mail: AdminMail = {
  emailId: "em_a",
  state: "searchable",
  receivedAt: new Date("2026-11-27T10:00:00Z"),
  from: "",
  subject: "",
  bytes: 12,
  attempts: 1,
};

describe("the lines of the command mail", () => {
  // A list ended in "searchable  : ".
  it("name a missing sender and a missing subject", () => {
    expect(summarizeMail(mail)).toBe(
      "em_a  2026-11-27T10:00:00.000Z  searchable  no sender: no subject",
    );
    expect(formatMail(mail, [])).toContain("from      no sender\nsubject   no subject\n");
  });

  // "extract" is the code's word.
  it("say in words who wrote the summary", () => {
    const lines = (summary: AdminMail["summary"]) =>
      formatMail({ ...mail, ...(summary && { summary }) }, []);
    expect(lines({ source: "extract" })).toMatch(/^summary {3}the first sentences$/m);
    expect(lines({ source: "model" })).toMatch(/^summary {3}by the model$/m);
    expect(lines({ source: "extract", problem: "no key" })).toMatch(
      /^summary {3}the first sentences; none by the model: no key$/m,
    );
  });
});
