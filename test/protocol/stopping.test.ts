import { spawn } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { createClient } from "@libsql/client";
import { type TestContext, describe, expect, it, vi } from "vitest";
import { killChild } from "../servers/child.ts";
import { type Home, newHome, newestTicket, runsOf, storedFile, storedStatus } from "./home.ts";
import { bareEnv, program } from "./program.ts";
import { type RawCaller, dialogOf, raw2025, raw2026 } from "./raw-server.ts";

const key = "plan.md";

/** Starts a server whose calls wait longer for a person than any test here takes. */
async function setUp(t: TestContext, elicitation: boolean) {
  const home = newHome(t, { APPROVAL_WAIT_MS: "45000" });
  const server = await raw2025(home, { elicitation });
  await server.answer("write_file", { key, content: "a plan" });
  return { home, server };
}

/** Ends well: immediately, with code 0, without a stack trace, and the request stays open for another day. */
async function expectGoodEnd(home: Home, server: RawCaller, stop: () => void): Promise<void> {
  const began = performance.now();
  stop();
  expect(await server.ended).toEqual({ code: 0, signal: null });
  expect(performance.now() - began).toBeLessThan(20_000);
  expect(server.said.stderr).not.toMatch(/^\s+at /m);
  expect(await storedStatus(home, await newestTicket(home))).toBe("pending");
  expect(await storedFile(home, key)).toEqual({ there: true, undoCopies: 0 });
}

async function untilAsked(home: Home): Promise<void> {
  await vi.waitFor(async () => {
    expect(await home.sql("SELECT 1 FROM audit WHERE type = 'asked'")).toHaveLength(1);
  }, 30_000);
}

describe.concurrent("a server in the middle of a call", () => {
  it.for(["SIGTERM", "SIGINT"] as const)(
    "ends on %s, and the error says that the request stays open",
    async (signal, t) => {
      const { home, server } = await setUp(t, false);
      const call = server.answer("delete_file", { key });
      await untilAsked(home);
      await expectGoodEnd(home, server, () => server.child.kill(signal));
      expect((await call).error).toMatchObject({
        kind: "approval_required",
        sideEffects: "none",
        approval: { status: "pending" },
      });
    },
  );

  it("that has an open dialog ends on SIGTERM and closes the dialog", async (t) => {
    const { home, server } = await setUp(t, true);
    const call = server.answer("delete_file", { key });
    await dialogOf(server);
    await expectGoodEnd(home, server, () => server.child.kill("SIGTERM"));
    expect((await call).error?.kind).toBe("approval_required");
    expect(server.messages.map(({ method }) => method)).toContain("notifications/cancelled");
  });

  it("ends when its client disconnects, without waiting for the person [serve.ends]", async (t) => {
    const { home, server } = await setUp(t, false);
    server.answer("delete_file", { key }).catch(() => undefined);
    await untilAsked(home);
    await expectGoodEnd(home, server, () => server.hangUp());
  });

  it.for(["SIGTERM", "the end of its input"] as const)(
    "finishes the write that it has begun at %s",
    async (end, t) => {
      const { home, server } = await setUp(t, false);
      const content = "x".repeat(1_000_000);
      const write = server.answer("write_file", { key: "large.txt", content });
      // Durable before the write begins.
      await vi.waitFor(async () => expect(await runsOf(home, "write_file")).toBe(2), 30_000);
      if (end === "SIGTERM") {
        server.child.kill("SIGTERM");
        expect((await write).output).toMatchObject({ bytes: 1_000_000, created: true });
      } else {
        // A client that disconnects gets no response (MCP, stdio). The SDK does this.
        write.catch(() => undefined);
        server.hangUp();
      }
      expect(await server.ended).toEqual({ code: 0, signal: null });
      const [row] = await home.objectSql("SELECT bytes FROM objects WHERE key = 'files/large.txt'");
      expect(row?.["bytes"]).toBe(1_000_000);
      expect(await home.sql("SELECT 1 FROM audit WHERE type = 'finished'")).toHaveLength(2);
    },
  );
});

describe.concurrent("a server whose client disconnects", () => {
  it("ends immediately with code 0, even before the first message", async (t) => {
    const server = raw2026(newHome(t), { elicitation: false });
    server.hangUp();
    expect(await server.ended).toEqual({ code: 0, signal: null });
    expect(server.said).toEqual({ stdout: "", stderr: "" });
  });

  it("writes queued events before it ends [audit.groups]", async (t) => {
    const { home, server } = await setUp(t, false);
    await server.answer("read_file", { key });
    // The group that this event waits for is not due yet.
    server.hangUp();
    await server.ended;
    const rows = await home.sql("SELECT type, tool, outcome FROM audit ORDER BY seq");
    expect(rows.map((row) => [row["type"], row["tool"], row["outcome"]])).toEqual([
      ["started", "write_file", null],
      ["finished", "write_file", "ok"],
      ["called", "read_file", "ok"],
    ]);
  });

  it("writes a single queued event immediately [audit.groups]", async (t) => {
    // The timer of the group fires too late if there are no other events at the end.
    const home = newHome(t);
    const server = await raw2025(home, { elicitation: false });
    await server.answer("list_files");
    server.hangUp();
    expect(await server.ended).toEqual({ code: 0, signal: null });
    const rows = await home.sql("SELECT type, tool, outcome FROM audit");
    expect(rows).toMatchObject([{ type: "called", tool: "list_files", outcome: "ok" }]);
  });

  it.for([
    ["no protocol", "GET / HTTP/1.1\r\n\r\n{]\n\0\n"],
    ["a message without end", "x".repeat(11_000_000)],
  ] as const)("ends although its input is %s", async ([, text], t) => {
    const server = raw2026(newHome(t), { elicitation: false });
    server.child.stdin?.write(text);
    server.hangUp();
    expect((await server.ended).code).toBe(0);
    expect(server.said.stdout).toBe("");
    expect(server.said.stderr).not.toMatch(/^\s+at /m);
  });

  it("ends at a message that is too large, although the client stays", async (t) => {
    const server = raw2026(newHome(t), { elicitation: false });
    server.child.stdin?.write("x".repeat(11_000_000));
    expect((await server.ended).code).toBe(0);
    expect(server.said.stderr).toContain("A message is longer than 10485760 bytes.");
  });

  it("ends when its answers are no longer read", async (t) => {
    const server = await raw2025(newHome(t), { elicitation: false });
    server.child.stdout?.destroy();
    server.answer("list_files").catch(() => undefined);
    expect((await server.ended).code).toBe(0);
    expect(server.said.stderr).not.toMatch(/^\s+at /m);
  });
});

describe("a command", () => {
  it("ends without a stack trace when its reader ends early, as in `| head`", async (t) => {
    // The driver aborted the process in two of three cases, because it was exited during a statement.
    for (let turn = 0; turn < 6; turn += 1) {
      const child = spawn(process.execPath, [program, "doctor"], {
        env: bareEnv(newHome(t).env),
        stdio: ["ignore", "pipe", "pipe"],
      });
      // The lines after this one come from the database.
      child.stdout.on("data", (lines) => {
        if (String(lines).includes("leader:")) child.stdout.destroy();
      });
      const [stderr] = await Promise.all([text(child.stderr), once(child, "exit")]);
      expect({ stderr, code: child.exitCode }).toEqual({ stderr: "", code: 0 });
    }
  });

  it("ends immediately at a second Ctrl-C, although a statement runs", async (t) => {
    // The driver aborted the process with a stack trace.
    const home = newHome(t);
    const mails = newHome(t).dir;
    for (let number = 0; number < 2_000; number += 1)
      writeFileSync(join(mails, `${number}.eml`), `Subject: ${number}\n\nx\n`);
    const child = spawn(process.execPath, [program, "import", "--json", mails], {
      env: bareEnv(home.env),
      stdio: ["ignore", "pipe", "pipe"],
    });
    home.later(() => killChild(child));
    const said = text(child.stderr);
    await once(child.stdout, "data");
    // The next statement waits for this lock for several seconds.
    const other = createClient({ url: `file:${join(home.dir, "countersign.db")}`, timeout: 5_000 });
    const lock = await other.transaction("write");
    await t.expect
      .poll(() => child.kill("SIGINT") && child.signalCode, { timeout: 20_000 })
      .not.toBeNull();
    lock.close();
    other.close();
    expect({ stderr: await said, signal: child.signalCode }).toEqual({
      stderr: "",
      signal: "SIGINT",
    });
  });
});
