import { fileURLToPath } from "node:url";
import { Client, ProtocolError } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { type TestContext, describe, expect, it } from "vitest";
import { newHome } from "./home.ts";
import { bareEnv, program } from "./program.ts";
import { StdioHere } from "./stdio-here.ts";

const eras = ["legacy", "modern"] as const;
type Era = (typeof eras)[number];

const sections = ["Risk", "Use", "Input", "Output", "Errors", "Examples"];

const reloading = fileURLToPath(new URL("./reloading-server.mjs", import.meta.url));

/**
 * Connects a client to a server in this process, or to a process with `args`. `changed` is called when the server says
 * that its tools changed.
 */
async function connect(
  t: TestContext,
  era: Era,
  { args, changed }: { args?: string[]; changed?: () => void } = {},
) {
  const home = newHome(t);
  const client = new Client(
    { name: "documentation-test", version: "1.0.0" },
    {
      versionNegotiation: { mode: era === "modern" ? { pin: "2026-07-28" } : "legacy" },
      ...(changed !== undefined && {
        listChanged: { tools: { autoRefresh: false, debounceMs: 0, onChanged: changed } },
      }),
    },
  );
  const env = bareEnv(home.env);
  const command = process.execPath;
  const child = new StdioClientTransport({ command, args: args ?? [], env, stderr: "ignore" });
  await client.connect(args === undefined ? new StdioHere(home) : child);
  home.later(() => client.close());
  return { client, pid: () => child.pid };
}

describe.concurrent.for(eras)("the documentation in the %s era [docs.resources]", (era) => {
  it("is one resource for each listed tool, in the order of the tools", async (t) => {
    const { client } = await connect(t, era, { args: [program, "serve"] });
    const { tools } = await client.listTools();
    const { resources } = await client.listResources();
    expect(resources.map(({ uri }) => uri)).toEqual(
      tools.map(({ name }) => `countersign://tools/${name}`),
    );
    const { resourceTemplates } = await client.listResourceTemplates();
    expect(resourceTemplates.map(({ uriTemplate }) => uriTemplate)).toEqual([
      "countersign://tools/{name}",
      "countersign://mail/{emailId}/{attachmentId}{?offset}",
      "countersign://files/{+key}{?offset}",
    ]);
    for (const { uri, name } of resources) {
      const { contents } = await client.readResource({ uri });
      const [page] = contents;
      expect(contents).toHaveLength(1);
      expect(page).toMatchObject({ uri, mimeType: "text/markdown" });
      const text = page && "text" in page ? page.text : "";
      expect(text).toContain(`# ${name}\n`);
      // The whole page, to its last section.
      expect(text.match(/^## .+$/gm)?.map((heading) => heading.slice(3))).toEqual(sections);
      expect(text).toMatch(/## Examples\n\n[\s\S]+```json\n/);
    }
  });

  it.for(["countersign://tools/no_such_tool", "countersign://tools/", "file:///etc/passwd"])(
    "answers %s with the protocol's error for an absent resource",
    async (uri, t) => {
      const { client } = await connect(t, era);
      const error = await client.readResource({ uri }).catch((thrown: unknown) => thrown);
      expect(error).toBeInstanceOf(ProtocolError);
      // The error is -32602 with the address (2026-07-28, server/resources). The SDK sends it in the older era too.
      expect(error).toMatchObject({ code: -32602, data: { uri } });
    },
  );

  it("has two prompts with their arguments", async (t) => {
    const { client } = await connect(t, era);
    const { prompts } = await client.listPrompts();
    expect(prompts.map(({ name }) => name)).toEqual(["triage_inbox", "plan_day"]);
    const said = async (name: string, args?: Record<string, string>): Promise<string> => {
      const { messages } = await client.getPrompt({ name, ...(args && { arguments: args }) });
      const [message] = messages;
      expect(messages).toHaveLength(1);
      return message?.content.type === "text" ? message.content.text : "";
    };
    expect(await said("triage_inbox")).toContain("search_emails");
    expect(await said("triage_inbox", { since: "2026-03-01" })).toContain("since 2026-03-01");
    expect(await said("plan_day", { date: "" })).toMatch(/plan today\. Today is \d{4}-\d\d-\d\d\./);
    expect(await said("plan_day", { date: "next Friday" })).toMatch(
      /plan next Friday\. Today is \d{4}-\d\d-\d\d\./,
    );
    expect(await said("plan_day", { date: "2026-03-02" })).toContain("No calendar is available");
    await expect(said("plan_day", { colour: "red" })).rejects.toMatchObject({ code: -32602 });
    await expect(said("plan_day", { date: "x".repeat(201) })).rejects.toMatchObject({
      code: -32602,
    });
    await expect(said("no_such_prompt")).rejects.toMatchObject({ code: -32602 });
  });

  it("notifies the client when the list of tools changes [docs.list-changed]", async (t) => {
    let told: () => void = () => undefined;
    const changed = new Promise<void>((resolve) => (told = resolve));
    const { client, pid } = await connect(t, era, { args: [reloading], changed: told });
    expect(client.getServerCapabilities()?.tools).toEqual({ listChanged: true });
    const names = async () =>
      (await client.listTools(undefined, { cacheMode: "bypass" })).tools.map(({ name }) => name);
    const before = await names();
    process.kill(pid()!, "SIGUSR2");
    await changed;
    expect(await names()).toEqual(before.slice(1));
    const { resources } = await client.listResources();
    expect(resources.map(({ name }) => name)).toEqual(before.slice(1));
  });
});

describe("the lists", () => {
  it("are stable, and state how long they may be cached", async (t) => {
    const { client } = await connect(t, "modern", { args: [program, "serve"] });
    const { client: other } = await connect(t, "modern");
    const first = await client.listTools();
    expect(await other.listTools()).toEqual(first);
    expect(first).toMatchObject({ ttlMs: 60_000, cacheScope: "private" });
    expect(await client.listResources()).toMatchObject({ ttlMs: 60_000, cacheScope: "private" });
    const hour = { ttlMs: 3_600_000, cacheScope: "private" };
    expect(await client.listPrompts()).toMatchObject(hour);
    expect(await client.listResourceTemplates()).toMatchObject(hour);
    const page = await client.readResource({ uri: "countersign://tools/read_file" });
    expect(page).toMatchObject(hour);
  });
});
