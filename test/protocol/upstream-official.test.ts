import { realpathSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { expect, it } from "vitest";
import { decideHere } from "./program.ts";
import { directoryOf, homeWithServers, open, openHere, reviewed } from "./upstream-home.ts";

const { resolve } = createRequire(import.meta.url);

/** Returns an entry for a server that npm installed. */
function installed(name: string, ...args: string[]): object {
  const folder = dirname(resolve(`@modelcontextprotocol/${name}/package.json`));
  return { command: process.execPath, args: [join(folder, "dist/index.js"), ...args] };
}

it("the official filesystem server reads at low risk and writes after approval", async (t) => {
  const home = homeWithServers(t, {});
  const folder = realpathSync(directoryOf(home, "shared"));
  writeFileSync(
    join(home.dir, "servers.json"),
    JSON.stringify({ mcpServers: { fs: installed("server-filesystem", folder) } }),
    { mode: 0o600 },
  );
  writeFileSync(join(folder, "a.txt"), "hello");
  await reviewed(home, "fs");
  const client = await openHere(home);
  const read = await client.call("fs__read_text_file", { path: join(folder, "a.txt") });
  expect(read.text).toContain("hello");
  const args = { path: join(folder, "b.txt"), content: "new" };
  const asked = await client.call("fs__write_file", args);
  const id = asked.error?.approval?.id ?? "";
  expect(asked.error?.kind).toBe("approval_required");
  await decideHere(home, "approve", id);
  await expect
    .poll(async () => (await client.call("fs__write_file", args)).text, { timeout: 30_000 })
    .toContain("Successfully wrote");
});

async function everything(t: Parameters<typeof homeWithServers>[0]) {
  const home = homeWithServers(t, {
    all: { ...installed("server-everything"), tools: { "*": "low" } },
  });
  await reviewed(home, "all");
  return await open(home);
}

it("the official everything server passes every kind of block, and has no tool that asks", async (t) => {
  const client = await everything(t);
  const names = (await client.list()).map(({ name }) => name).filter((name) => /__/.test(name));
  expect(names).toContain("all__echo");
  // The server registers them for clients with these capabilities, and Countersign declares none.
  expect(names.filter((name) => /elicitation|sampling|roots/.test(name))).toEqual([]);
  // The tool only runs as a task.
  expect(names).not.toContain("all__simulate-research-query");
  const echo = await client.call("all__echo", { message: "hi" });
  expect(echo.text).toContain("Echo: hi");
  const image = await client.call("all__get-tiny-image");
  expect(image.kinds).toContain("image");
  const sum = await client.call("all__get-sum", { a: 2, b: 3 });
  expect(sum.text).toContain("5");
  const links = await client.call("all__get-resource-links", { count: 2 });
  expect(links.kinds).toContain("resource_link");
  const structured = await client.call("all__get-structured-content", { location: "New York" });
  expect(JSON.stringify(structured.structured?.["data"])).toContain("temperature");
  const embedded = await client.call("all__get-resource-reference", { resourceId: 1 });
  expect(embedded.text).toContain("demo://resource/dynamic/text/1");
  const slow = await client.call("all__trigger-long-running-operation", { duration: 1, steps: 2 });
  expect(slow.text).toContain("Long running operation completed");
});

it("the official everything server reports progress, and is killed or cancelled in the middle", async (t) => {
  const client = await everything(t);
  const run = async (onprogress: () => void, signal?: AbortSignal) =>
    await client.call(
      "all__trigger-long-running-operation",
      { duration: 20, steps: 40 },
      { onprogress, ...(signal && { signal }) },
    );
  const killed = await run(() => {
    for (const pid of client.children()) process.kill(pid, "SIGKILL");
  });
  expect(killed.error).toMatchObject({ kind: "unavailable", sideEffects: "none" });
  expect(killed.text).toContain("The server all ended before it answered");
  const stop = new AbortController();
  await expect(run(() => stop.abort(), stop.signal)).rejects.toThrow(/abort/i);
  expect((await client.call("all__echo", { message: "after" })).text).toContain("Echo: after");
});
