import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { connector } from "../../src/app/upstream/connector.ts";
import type { ServerEntry } from "../../src/ports/upstream/upstream-server.ts";
import { quietLog } from "../fakes/quiet-log.ts";

/** A server by hand. The file `era` says which revision it speaks when it starts. */
const program = `
const { readFileSync } = require("node:fs");
const { createInterface } = require("node:readline");
const isNew = readFileSync("era", "utf8") === "new";
const send = (message) => process.stdout.write(JSON.stringify({ jsonrpc: "2.0", ...message }) + "\\n");
const complete = { resultType: "complete", ttlMs: 0, cacheScope: "private" };
const capabilities = { tools: {} };
createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, method, params } = JSON.parse(line);
  if (method === "server/discover" && !isNew) process.exit(1);
  if (method === "server/discover") send({ id, result: { ...complete, supportedVersions: ["2026-07-28"], capabilities } });
  if (method === "initialize") {
    const { protocolVersion } = params;
    const data = { supported: ["2026-07-28"], requested: protocolVersion };
    if (isNew) send({ id, error: { code: -32022, message: "not supported", data } });
    else send({ id, result: { protocolVersion, serverInfo: { name: "v", version: "1" }, capabilities } });
  }
  const tools = [{ name: isNew ? "new" : "old", inputSchema: { type: "object" } }];
  if (method === "tools/list") send({ id, result: { ...(isNew && complete), tools } });
});
`;

// The first call after the change failed, with the advice to run the doctor.
it("a server that speaks another revision at each start is started each time", async (t) => {
  const directory = mkdtempSync(join(tmpdir(), "countersign-versions-"));
  t.onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  const command = process.execPath;
  const entry: ServerEntry = {
    name: "v",
    place: "",
    identity: "v",
    tools: {},
    preview: {},
    target: { kind: "process", command, args: ["-e", program], env: {}, directory },
    timeoutMs: 2_000,
    reads: "private",
    sends: true,
  };
  const connect = connector(directory, quietLog);
  for (const era of ["old", "new", "old", "new"]) {
    writeFileSync(join(directory, "era"), era);
    const connection = await connect(entry);
    const tools = await connection.list();
    await connection.close();
    expect(tools.map(({ name }) => name)).toEqual([era]);
  }
});
