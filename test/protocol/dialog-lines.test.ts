import { expect, it } from "vitest";
import { connect } from "./clients.ts";
import { homeWithPolicy } from "./policy-home.ts";

// Claude Code shows three lines, and they did not say whether a file is overwritten.
it("a dialog's first line says what write_file replaces, and its arguments follow once [elicitation.three-lines]", async (t) => {
  const home = homeWithPolicy(t, { riskFloors: { write_file: "high" } });
  const client = await connect(home, "v2 legacy", { elicitation: "approve" });
  await client.call("write_file", { key: "a.md", content: "first", createOnly: true });
  await client.call("write_file", { key: "a.md", content: "second" });
  const [created = [], replaced = []] = client.dialogs.map(({ message }) => message.split("\n"));
  expect(created[0]).toMatch(/^Create (?:the file )?"a\.md" with 5 bytes/);
  expect(replaced[0]).toMatch(
    /^Replace (?:the file )?"a\.md", 5 bytes, changed just now, with 6 bytes/,
  );
  for (const lines of [created, replaced]) {
    expect(lines[1]).toMatch(/request [A-Z2-7]{4}-[A-Z2-7]{4}$/);
    expect(lines.join("\n").match(/a\.md/g)).toHaveLength(1);
    expect(lines.join("\n")).not.toContain("createOnly");
  }
});
