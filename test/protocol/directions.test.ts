import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { approvalOf } from "./answer.ts";
import { connect } from "./clients.ts";
import { type Home, newHome } from "./home.ts";
import { startHttpHere } from "./http-server.ts";
import { bareEnv, runProgram } from "./program.ts";
import { homeWithBot } from "./telegram-home.ts";

/** Runs a printed line in a new shell, which has nothing of the server's environment. */
function typed(line: string): string {
  return execFileSync("sh", ["-c", line], { encoding: "utf8", env: bareEnv({}) });
}

// The command named no data directory, so it showed a person that nothing waits.
it("a result's command finds the request in a new terminal [directions.true]", async (t) => {
  const home = newHome(t, { APPROVAL_OPEN: "never" });
  const client = await connect(home, "v2 legacy");
  await client.call("write_file", { key: "a.md", content: "x" });
  const asked = await client.call("delete_file", { key: "a.md" });
  const [, line = ""] = /in a terminal with `([^`]+)`/.exec(asked.text) ?? [];
  expect(typed(`${line} list`)).toContain(approvalOf(asked).id);
});

it("a printed command names the file of --env-file, before its words [directions.true]", async (t) => {
  const home = newHome(t);
  const file = join(home.dir, "my settings");
  writeFileSync(file, `COUNTERSIGN_DATA_DIR=${home.dir}\nLOG_LEVEL=none\n`, { mode: 0o600 });
  const { stderr } = await runProgram(home, ["init", "--env-file", file]);
  const [, line = ""] = /and run (.+) doctor\./.exec(stderr) ?? [];
  expect(line).toContain(`--env-file '${file}'`);
  expect(() => typed(`${line} approvals list`)).toThrow("LOG_LEVEL");
});

// The result named a command that a caller over HTTP does not have.
it("a result over HTTP names the server's terminal, and who can start fetching mail there [directions.true]", async (t) => {
  const origin = "https://countersign.example.org";
  const env = { PUBLIC_URL: origin, ALLOWED_HOSTS: `127.0.0.1,${new URL(origin).hostname}` };
  const client = await connectOver(newHome(t, env), "HTTP");
  await client.call("write_file", { key: "a.md", content: "x" });
  expect((await client.call("delete_file", { key: "a.md" })).text).toMatch(
    /in a terminal on the server with `.+ approvals`/,
  );
  expect((await client.call("search_emails")).text).toMatch(/ ingest` on the server\./);
});

/** Connects to a server in this process. */
const connectOver = (home: Home, over: "here" | "HTTP") =>
  connect(home, "v2 legacy", over === "HTTP" ? { at: startHttpHere(home) } : { over });

async function refusedIn(home: Home, over: "here" | "HTTP"): Promise<string> {
  const client = await connectOver(home, over);
  await client.call("write_file", { key: "a.md", content: "x" });
  return (await client.call("delete_file", { key: "a.md" })).text;
}

it("a result over HTTP has the page's address, if the caller's approver can sign in there [directions.true]", async (t) => {
  const origin = "https://countersign.example.org";
  const env = { PUBLIC_URL: origin, ALLOWED_HOSTS: `127.0.0.1,${new URL(origin).hostname}` };
  const approver = { ...env, APPROVERS: "alice:alice-approves-12345" };
  expect(await refusedIn(newHome(t, approver), "HTTP")).toContain(
    `on the approval page (${origin}/approvals)`,
  );
  const other = { ...env, APPROVERS: "bob:bob-approves-1234567" };
  expect(await refusedIn(newHome(t, other), "HTTP")).not.toContain("approval page");
});

it("a result names Telegram if it is set up, and only a page that exists [directions.true]", async (t) => {
  const { home } = await homeWithBot(t, { APPROVAL_OPEN: "never" });
  const text = await refusedIn(home, "here");
  expect(text).toContain("in Telegram or in a terminal");
  expect(text).not.toContain("page");
});
