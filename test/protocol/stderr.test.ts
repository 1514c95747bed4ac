import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { describe, expect, it } from "vitest";
import { ingestAt, newHome } from "./home.ts";
import { startHttp } from "./http-server.ts";
import { bareEnv, program, runProgram } from "./program.ts";
import { startSignIn } from "./oauth-host.ts";

const mail = "From: a@b.example\r\nTo: me@home.example\r\nSubject: Hello\r\n\r\nHello.\r\n";

/** Lines that are neither our log nor a sentence of ours: what Node and libraries print. */
const foreign = (stderr: string) =>
  stderr
    .split("\n")
    .filter((line) => /warning|deprecat|experimental|unsupported|\(node:\d+\)/i.test(line))
    .filter((line) => !line.startsWith("countersign "));

describe.concurrent("stderr has no line of a library [stderr.own]", () => {
  it("of serve over stdio, with calls of each risk", async (t) => {
    const home = newHome(t, { APPROVAL_OPEN: "never" });
    const transport = new StdioClientTransport({
      command: process.execPath,
      args: [program, "serve"],
      env: bareEnv(home.env),
      stderr: "pipe",
    });
    let said = "";
    transport.stderr?.on("data", (text: Buffer) => (said += text.toString()));
    const client = new Client({ name: "protocol-test", version: "1.0.0" });
    await client.connect(transport);
    for (const name of ["list_files", "write_file", "delete_file", "search_emails"])
      await client.callTool({
        name,
        arguments: name.endsWith("_file")
          ? { key: "a.md", ...(name === "write_file" && { content: "x" }) }
          : {},
      });
    await client.close();
    expect(foreign(said)).toEqual([]);
  });

  it.for<[string, Record<string, string>]>([
    ["serve --http", {}],
    ["serve --http with a page", { PUBLIC_URL: "https://countersign.example.org" }],
  ])("of %s", async ([, env], t) => {
    const at = startHttp(newHome(t), { env });
    await fetch(await at.url, { method: "POST" });
    await at.stop();
    expect(foreign(at.said.stderr)).toEqual([]);
  });

  it("of serve --http with OAUTH=on", async (t) => {
    const { at } = await startSignIn(newHome(t));
    await at.stop();
    expect(foreign(at.said.stderr)).toEqual([]);
  });

  it("of import, mail and ingest", async (t) => {
    const home = newHome(t, { INGEST_DNS: "off" });
    const message = join(home.dir, "a.eml");
    writeFileSync(message, mail);
    const imported = await runProgram(home, ["import", message]);
    const found = await runProgram(home, ["mail", "list"]);
    for (const { code, stderr } of [imported, found])
      expect({ code, foreign: foreign(stderr) }).toEqual({ code: 0, foreign: [] });
    const receiver = await ingestAt(home);
    await receiver.stop("SIGTERM");
    expect(foreign(receiver.said.join("\n"))).toEqual([]);
  });

  it.for([
    ["chat"],
    ["doctor"],
    ["servers", "list"],
    ["approvals", "list"],
    ["activity"],
    ["policy", "list"],
    ["audit", "verify"],
    ["catalog", "list"],
    ["connect", "--print"],
    ["--help"],
  ])("of %s", async (args, t) => {
    const { stderr } = await runProgram(newHome(t), args);
    expect(foreign(stderr)).toEqual([]);
  });
});
