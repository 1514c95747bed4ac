import { copyFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { connectHere } from "./clients.ts";
import { newHome, operatorSecret } from "./home.ts";
import { homeWithPolicy, rewrite } from "./policy-home.ts";
import { runHere } from "./program.ts";
import { homeWithBot } from "./telegram-home.ts";

// Claude Code shows three lines, and they did not say whether a file is overwritten.
it("a dialog's first line says what write_file replaces, and its arguments follow once [elicitation.three-lines]", async (t) => {
  const home = homeWithPolicy(t, { riskFloors: { write_file: "high" } });
  const client = await connectHere(home, "v2 legacy", { elicitation: "approve" });
  await client.call("write_file", { key: "a.md", content: "first", createOnly: true });
  await client.call("write_file", { key: "a.md", content: "second" });
  // The default media type left no room for the name.
  const key = "contracts/lease.md";
  await client.call("write_file", { key, content: "third" });
  expect(client.dialogs[2]?.message.split("\n")[0]).toBe(`Create the file "${key}" with 5 bytes`);
  await client.call("write_file", { key, content: "fourth", mediaType: "text/markdown" });
  expect(client.dialogs[3]?.message.split("\n")).toContain(
    `in full: Replace "${key}", 5 bytes, changed just now, with 6 bytes of text/markdown`,
  );
  const [created = [], replaced = []] = client.dialogs.map(({ message }) => message.split("\n"));
  expect(created[0]).toMatch(/^Create the file "a\.md" with 5 bytes/);
  expect(replaced[0]).toMatch(/^Replace "a\.md", 5 bytes, changed just now, with 6 bytes/);
  for (const lines of [created, replaced]) {
    expect(lines[1]).toMatch(/request [A-Z2-7]{4}-[A-Z2-7]{4}$/);
    expect(lines.join("\n").match(/a\.md/g)).toHaveLength(1);
    expect(lines.join("\n")).not.toContain("createOnly");
  }
});

// The server's name was said twice, and the arguments were below the third line.
it("a dialog shows the arguments of an upstream tool in its third line [elicitation.three-lines]", async (t) => {
  const home = newHome(t);
  const example = fileURLToPath(new URL("../../examples/my-tools.js", import.meta.url));
  copyFileSync(example, join(home.dir, "my-tools.js"));
  const mine = { mine: { module: "./my-tools.js" } };
  writeFileSync(join(home.dir, "servers.json"), JSON.stringify({ mcpServers: mine }), {
    mode: 0o600,
  });
  const review = ["servers", "review", "mine", "--accept-proposed", "--secret-stdin"];
  const accepted = await runHere(home, review, { input: `${operatorSecret}\n` });
  expect(accepted.code, accepted.stderr).toBe(0);
  const client = await connectHere(home, "v2 legacy", { elicitation: "approve" });
  await client.call("mine__add_to_list", { line: "Two litres of oat milk" });
  expect(client.dialogs[0]?.message.split("\n").slice(0, 3)).toEqual([
    'Use "Add to the shopping list" of the server mine',
    expect.stringMatching(/^tool: add_to_list; undo: cannot be undone here; request \S+$/),
    'line: "Two litres of oat milk"',
  ]);
});

// The dialog showed an id, which means nothing to a person.
it("a dialog names the text and time of a reminder that cancel_reminder would remove [elicitation.three-lines]", async (t) => {
  const { home } = await homeWithBot(t, { POLICY_FILE: "policy.json" });
  rewrite(home, { riskFloors: { cancel_reminder: "high", notify_user: "high" } });
  const client = await connectHere(home, "v2 legacy", { elicitation: "approve" });
  const at = "2031-03-04T09:30:00+01:00";
  const { output } = await client.call("remind_me", { text: "Water the fern", at });
  await client.call("cancel_reminder", { id: output?.["id"] });
  await client.call("notify_user", { text: "The fern is dry" });
  const [cancelled, sent] = client.dialogs.map(({ message }) => message.split("\n"));
  expect(cancelled?.[0]).toMatch(/^Cancel the reminder "Water the fern" at 2031-03-04T/);
  expect(cancelled?.[1]).toMatch(/^request [A-Z2-7]{4}-[A-Z2-7]{4}$/);
  expect(sent?.[0]).toBe('Send you the message "The fern is dry"');
  expect(sent?.[1]).toMatch(/^request [A-Z2-7]{4}-[A-Z2-7]{4}$/);
});
