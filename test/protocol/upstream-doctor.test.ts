import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { offeredName } from "../../src/upstream/tool-name.ts";
import { newHome } from "./home.ts";
import { startHttpUpstream } from "./http-upstream.ts";
import { runHere, runProgram } from "./program.ts";
import {
  homeWithServers,
  nodeServer,
  openHere,
  reviewed,
  setState,
  writeServers,
} from "./upstream-home.ts";

const notes = nodeServer("notes-server.mjs");

const here = () => ({
  onTestFinished: (cleanUp: () => unknown) => onTestFinished(async () => void (await cleanUp())),
});

describe("the doctor", () => {
  it("leads on from stores that do not answer, and reports no change of the audit record", async (t) => {
    // An unreachable bucket was "an invalid response", and "The audit record is not complete" needed `audit verify`.
    const home = newHome(t, {
      S3_BUCKET: "b",
      S3_ENDPOINT: "http://127.0.0.1:1",
      S3_ACCESS_KEY_ID: "id",
      S3_SECRET_ACCESS_KEY: "secret",
    });
    writeFileSync(join(home.dir, "servers.json"), "{");
    const edit = "Run: ${EDITOR:-vi} ";
    const lines = (await runHere(home, ["doctor"])).stdout.split("\n");
    expect(lines[1]).toMatch(
      /^files: broken\. The object store could not be reached\. .*Check S3_ENDPOINT, and whether the object store runs\. Run: .* init$/,
    );
    expect(lines[3]).toBe(
      "audit record: broken. The heads in the object store could not be read. The object store could not be reached. Nothing was read or changed.",
    );
    expect(lines.find((line) => line.startsWith("upstream servers: broken."))).toContain(
      `${edit}${home.dir}/servers.json`,
    );
    const other = newHome(t, { DATABASE_URL: "http://127.0.0.1:1" });
    expect((await runHere(other, ["doctor"])).stdout.split("\n")[0]).toBe(
      `database: broken. The database server 127.0.0.1:1 did not answer. Nothing was changed. Check DATABASE_URL, and whether the database server runs. ${edit}${other.dir}/.env`,
    );
  });

  it("tries each upstream server, and names cause and fix in one line each", async (t) => {
    const home = homeWithServers(t, { notes });
    await reviewed(home, "notes");
    setState(home, "notes", { description: " Another one." });
    const web = await startHttpUpstream(home);
    const locked = await startHttpUpstream(home);
    locked.intercept.by = ({ response }) => {
      response.writeHead(401).end();
      return true;
    };
    const dying = "console.error('no module \\u001b[31mnamed x'); process.exit(1)";
    writeServers(home, {
      notes,
      web: { url: web.url },
      locked: { url: locked.url },
      gone: { url: "http://127.0.0.1:9/mcp" },
      absent: { command: "no-such-program-here" },
      dying: { command: process.execPath, args: ["-e", dying] },
      unset: { command: "x", env: { A: "${env:NOT_SET_HERE}" } },
    });
    const { code, stdout } = await runProgram(home, ["doctor"]);
    expect(code).toBe(1);
    const lines = stdout.split("\n").filter((line) => line.startsWith("server "));
    expect(lines.map((line) => line.replace(/(Run: |`)\S[^`]*? servers/g, "$1servers"))).toEqual([
      "server notes: works, and offers 5 of 6 tools. Tools that wait for a review: 1. Run: servers review notes",
      "server web: works, and offers 0 of 2 tools. Tools that wait for a review: 2. Run: servers review web",
      "server locked: broken. The server locked refused the sign-in (HTTP status 401). Nothing was done. Run: servers login locked",
      'server gone: broken. The server gone cannot be reached. Nothing was done. Start it, or correct its "url" in servers.json.',
      'server absent: broken. The server absent could not be started: its program was not found. Nothing was done. Try its command in a terminal, or correct "command" and "env" in servers.json: "no-such-program-here".',
      expect.stringMatching(
        /^server dying: broken\. The server dying ended\. Nothing was done\. Its last output: "no module \\u\{001B\}\[31mnamed x"\. Try /,
      ) as string,
      "server unset: broken. mcpServers.unset.env.A: NOT_SET_HERE is not set. Set it in the environment or in .env of the data directory.",
    ]);
  });

  it("has the same cause and fix as a review of the server", async (t) => {
    const dying = "console.error('no config'); process.exit(1)";
    const home = homeWithServers(t, {
      gone: { url: "http://127.0.0.1:9/mcp" },
      dying: { command: process.execPath, args: ["-e", dying] },
    });
    const gone = await runHere(home, ["servers", "review", "gone"]);
    expect(gone.stderr).toContain(
      'The server gone cannot be reached. Nothing was done. Start it, or correct its "url" in servers.json.',
    );
    const ended = await runHere(home, ["servers", "review", "dying"]);
    expect(ended.stderr).toContain('Its last output: "no config". Try its command in a terminal');
    for (const { code, stderr } of [gone, ended]) {
      expect(code).toBe(1);
      expect(stderr).not.toContain("Tell the user");
    }
  });

  // The reason was "was disconnected", and a limited server had to be "started".
  it.each<[string, number, Record<string, string>, string]>([
    ["no MCP", 200, { "content-type": "text/html" }, "does not speak MCP. Nothing was done. Start"],
    ["nothing", 202, {}, "gave no response. Nothing was done. Start it"],
    ["another path", 404, {}, "answered with the HTTP status 404. Nothing was done. Start it"],
    [
      "a limit",
      429,
      { "retry-after": "30" },
      "limits requests (HTTP status 429). Nothing was done. Try again in 30 s.",
    ],
    ["the old transport", 405, {}, "answered with the HTTP status 405. Nothing was done. Start it"],
    [
      "the old transport at another address",
      405,
      {},
      "answered with the HTTP status 405. Nothing was done. Start it",
    ],
  ])("names the answer of a server over HTTP: %s", async (answer, status, headers, problem) => {
    const home = homeWithServers(here(), {});
    const web = await startHttpUpstream(home);
    web.intercept.by = ({ response }) => {
      response.writeHead(status, headers).end();
      return true;
    };
    const isOld = answer.startsWith("the old transport");
    const url = answer === "the old transport" ? `${web.origin}/sse` : web.url;
    writeServers(home, { web: { url } });
    const { stderr } = await runHere(home, ["servers", "review", "web"]);
    expect(stderr).toContain(`The server web ${problem}`);
    // A person read only the status, and could not know that the address was one of another transport.
    expect(stderr.includes("old transport HTTP+SSE, which is not supported")).toBe(isOld);
  });

  // The server "does not speak MCP", although its own error named the cause.
  it("quotes the error with which a server answers the first request, up to a limit", async (t) => {
    const error = { code: -32_001, message: `Licence \u001b[31mexpired. ${"x".repeat(5_000)}` };
    const refusing = `require("node:readline").createInterface({ input: process.stdin }).on("line", (line) => {
      const { id } = JSON.parse(line);
      if (id !== undefined) console.log(JSON.stringify({ jsonrpc: "2.0", id, error: ${JSON.stringify(error)} }));
    });`;
    const home = homeWithServers(t, {});
    const web = await startHttpUpstream(home);
    web.intercept.by = ({ response, message: { id } }) => {
      response.writeHead(200, { "content-type": "application/json" });
      response.end(JSON.stringify({ jsonrpc: "2.0", id, error }));
      return true;
    };
    writeServers(home, {
      refusing: { command: process.execPath, args: ["-e", refusing] },
      web: { url: web.url },
    });
    for (const server of ["refusing", "web"]) {
      const { stderr } = await runHere(home, ["servers", "review", server]);
      expect(stderr).toContain(
        `The server ${server} refused to start (protocol error -32001). Nothing was done. Its message: "Licence \\u{001B}[31mexpired. xxx`,
      );
      expect(stderr.length).toBeLessThan(1_000);
    }
  });

  // The server "does not speak MCP".
  it.each([
    ["2099-01-01", "speaks only the protocol version 2099-01-01, which Countersign"],
    ["2099\u001b[31m", "speaks only a protocol version that Countersign"],
  ])("names the protocol version of a server that speaks only %j", async (version, problem) => {
    const t = here();
    const answering = (answer: string): string => `
      require("node:readline").createInterface({ input: process.stdin }).on("line", (line) => {
        const { id, method, params } = JSON.parse(line);
        const version = ${JSON.stringify(version)};
        if (id !== undefined) console.log(JSON.stringify({ jsonrpc: "2.0", id, ...(${answer}) }));
      });`;
    const older = `{ result: { protocolVersion: version, serverInfo: { name: "s", version: "1" }, capabilities: { tools: {} } } }`;
    const newer = `{ error: { code: -32022, message: "no", data: { supported: [version], requested: "2026-07-28" } } }`;
    const node = (script: string) => ({ command: process.execPath, args: ["-e", script] });
    const home = homeWithServers(t, {
      older: node(
        answering(
          `method === "initialize" ? ${older} : { error: { code: -32601, message: "no" } }`,
        ),
      ),
      newer: node(answering(`method === "initialize" ? ${older} : ${newer}`)),
    });
    for (const server of ["older", "newer"]) {
      const { stderr } = await runHere(home, ["servers", "review", server]);
      expect(stderr).toContain(
        `The server ${server} ${problem} does not support. Nothing was done.`,
      );
      expect(stderr).toContain("Update the server, or Countersign.");
      expect(stderr).not.toContain("\u001b");
    }
  });

  // The server was started at each call, and `doctor` only said that it works.
  it(
    "names a server that ends at each call, and so does the list, until it works again",
    {
      timeout: 180_000,
    },
    async (t) => {
      const home = homeWithServers(t, { hostile: nodeServer("hostile-server.mjs") });
      await reviewed(home, "hostile");
      const client = await openHere(home);
      const crash = async () => await client.call("hostile__act", { how: "exit" });
      for (let calls = 0; calls < 3; calls += 1) await crash();
      // The wait may be over on a slow machine, and then it doubles.
      let refusal = "";
      await expect
        .poll(async () => (refusal = (await crash()).text), { timeout: 60_000, interval: 0 })
        .toMatch(
          /^unavailable: The server hostile ended \d+ times in a row during a call\. Nothing was done\.\nTry again in \d+ s\.$/,
        );
      const waitSeconds = Number(/in (\d+) s/.exec(refusal)?.[1]);
      const list = async () => (await runHere(home, ["servers", "list"])).stdout;
      await expect
        .poll(list, { timeout: 30_000 })
        .toMatch(/In a running process it ended \d+ times in a row/);
      expect((await runHere(home, ["doctor"])).stdout).toMatch(
        /^server hostile: works, and offers \d of \d tools\. In a running process it ended \d+ times/m,
      );
      // After five failures in a row, the budget would refuse the call for longer.
      await expect
        .poll(async () => (await client.call("hostile__act", { how: "ok" })).text, {
          interval: (waitSeconds + 1) * 1_000,
          timeout: 90_000,
        })
        .toContain("fine");
      await expect.poll(list, { timeout: 30_000 }).not.toContain("In a running process");
    },
  );

  it("counts no tool as offered that has the name of another one", async (t) => {
    // Both are withheld, and both were counted.
    expect(offeredName("cunning", "a_b_d2ea58cf")).toBe(offeredName("cunning", "a.b"));
    const home = homeWithServers(t, { cunning: nodeServer("cunning-server.mjs") });
    setState(home, "cunning", { pages: "two tools of one name" });
    await reviewed(home, "cunning");
    const { stdout } = await runHere(home, ["doctor"]);
    expect(stdout).toContain(
      'server cunning: works, and offers 2 of 4 tools. cunning/a_b_d2ea58cf and cunning/a.b have the same name here. One of them must be "off" in "tools" of servers.json.\n',
    );
    expect(stdout).toContain("tool list: 2 upstream tools are listed\n");
  });

  it("names the place of a fault in the file of servers", async (t) => {
    const home = homeWithServers(t, {});
    writeFileSync(join(home.dir, "servers.json"), '{"mcpServers":{"a":{"cmd":"x"}}}');
    const { code, stdout } = await runHere(home, ["doctor"]);
    expect(code).toBe(1);
    expect(stdout).toMatch(/^upstream servers: broken\. .*servers\.json:1:\d+ /m);
  });
});
