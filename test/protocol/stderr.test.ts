import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { describe, expect, it } from "vitest";
import { startChatModel } from "../servers/chat-model.ts";
import { s3Environment } from "../servers/ingest.ts";
import { hasS3, makeBucket } from "../servers/s3-bucket.ts";
import { modelKey } from "../servers/text-model.ts";
import { ingestAt, newHome } from "./home.ts";
import { startHttp } from "./http-server.ts";
import { bareEnv, program, runProgram } from "./program.ts";
import { raw2025 } from "./raw-server.ts";
import { startSignInWith } from "./oauth-host.ts";

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

  // A library's line on stdout ended the connection, and its warnings were shown to people.
  it.for([
    ["info", 0],
    ["debug", 4],
  ] as const)(
    "of a loud library at LOG_LEVEL=%s, and stdout has none",
    async ([level, shown], t) => {
      const loud = new URL("../servers/loud-library.mjs", import.meta.url).href;
      const NODE_OPTIONS = `--import=${loud}`;
      const home = newHome(t, { LOG_LEVEL: level, APPROVAL_OPEN: "never", NODE_OPTIONS });
      const server = await raw2025(home, { elicitation: false });
      await server.answer("list_files", {});
      const lines = () => server.said.stderr.split("\n").filter((line) => /library's/.test(line));
      await t.expect.poll(lines).toHaveLength(shown);
      t.expect(server.said.stdout).not.toContain("library's");
    },
  );

  it.for(["anthropic", "openai-compatible"] as const)("of chat with %s", async (protocol, t) => {
    const model = await startChatModel(protocol, (_, index) =>
      index === 0 ? { calls: [["list_files", {}]] } : { text: ["No files."] },
    );
    t.onTestFinished(() => model.close());
    const home = newHome(t, {
      ASSISTANT_PROVIDER: protocol,
      ASSISTANT_MODEL: "scripted-model",
      ASSISTANT_API_KEY: modelKey,
      ASSISTANT_BASE_URL: model.url,
    });
    const { code, stderr } = await runProgram(home, ["chat", "Which files are there?"]);
    t.expect(code).toBe(0);
    t.expect(foreign(stderr)).toEqual([]);
  });

  it.skipIf(!hasS3())("of files in a bucket", async (t) => {
    const { settings } = await makeBucket();
    const home = newHome(t, { ...s3Environment(settings), APPROVAL_OPEN: "never" });
    const server = await raw2025(home, { elicitation: false });
    await server.answer("write_file", { key: "a.md", content: "x" });
    await server.answer("list_files", {});
    const { stderr } = await runProgram(home, ["doctor"]);
    t.expect(foreign(server.said.stderr + stderr)).toEqual([]);
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
    const { at } = await startSignInWith(startHttp, newHome(t));
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
