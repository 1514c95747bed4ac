import { spawn } from "node:child_process";
import { once } from "node:events";
import { type TestContext, describe, expect, it } from "vitest";
import { connect } from "./clients.ts";
import { type Home, newHome, operatorSecret } from "./home.ts";
import { bareEnv, program, runProgram } from "./program.ts";

const longWait = { timeout: 30_000 };

/** Leaves the list open as a person does. Returns the screen and the end of the command. */
function watching(home: Home, ...more: string[]) {
  const args = [program, "approvals", "list", "--watch", ...more];
  const child = spawn(process.execPath, args, {
    env: bareEnv(home.env),
    stdio: ["ignore", "pipe", "inherit"],
  });
  home.later(() => child.kill("SIGKILL"));
  let screen = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => (screen += text));
  const ended = once(child, "close").then(() => child.exitCode);
  return {
    screen: () => screen,
    stop: () => {
      child.kill("SIGTERM");
      return ended;
    },
  };
}

async function setUp(t: TestContext) {
  const home = newHome(t);
  const client = await connect(home, "v2 legacy");
  const write = (key: string) => client.call("write_file", { key, content: "a note" });
  await write("old.md");
  return { home, write, remove: (key: string) => client.call("delete_file", { key }) };
}

describe.concurrent("approvals list --watch", () => {
  it("shows requests as they arrive, and changes with their undo [activity.channels]", async (t) => {
    const { home, write, remove } = await setUp(t);
    const watched = watching(home);
    await t.expect.poll(watched.screen, longWait).toBe("No requests are waiting.\n");
    await write("notes/a.md");
    const told =
      /^\d.+ {2}An assistant wrote notes\/a\.md, 6 bytes \("protocol-test"\)\n {2}to undo it before .+: .+ undo (un_\w+)$/m;
    await t.expect.poll(watched.screen, longWait).toMatch(told);
    await remove("notes/a.md");
    await t.expect.poll(watched.screen, longWait).toContain('Delete the file "notes/a.md"');

    const undoId = told.exec(watched.screen())?.[1] ?? "";
    const undone = await runProgram(home, ["undo", undoId, "--secret-stdin"], {
      input: `${operatorSecret}\n`,
    });
    expect(undone.stdout).toBe("Removed notes/a.md.\n");
    await write("last.md");
    await t.expect.poll(watched.screen, longWait).toContain("wrote last.md");
    expect(await watched.stop()).toBe(0);
    const screen = watched.screen();
    expect(screen.match(/to undo it before/g)).toHaveLength(2);
    expect(screen).not.toContain("old.md");
  });

  it("prints only requests for scripts", async (t) => {
    const { home, write, remove } = await setUp(t);
    const watched = watching(home, "--json");
    await remove("old.md");
    await t.expect.poll(watched.screen, longWait).toContain('"tool":"delete_file"');
    await write("notes/a.md");
    await write("b.md");
    await remove("b.md");
    await t.expect.poll(watched.screen, longWait).toContain("b.md");
    expect(await watched.stop()).toBe(0);
    const lines = watched.screen().trim().split("\n");
    const tools = lines.map((line) => (JSON.parse(line) as { tool: string }).tool);
    expect(tools).toEqual(["delete_file", "delete_file"]);
  });
});
