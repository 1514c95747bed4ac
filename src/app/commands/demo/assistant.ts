import { Client, type Transport } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { z } from "zod";
import { version } from "../../platform/version.ts";
import type { DemoPerson } from "./person.ts";

export interface DemoAnswer {
  /** The text that a model reads. */
  text: string;
  /** The same facts as data. Empty for an error. */
  data: Readonly<Record<string, unknown>>;
  isError: boolean;
}

/** The official MCP client, connected to a server. */
export interface DemoAssistant {
  tools: readonly { name: string; risk: string }[];
  call(tool: string, args: Readonly<Record<string, unknown>>): Promise<DemoAnswer>;
  /** Disconnects. A server process ends with its client. */
  close: () => Promise<void>;
}

const answer = z.object({
  content: z.array(z.looseObject({ text: z.string().optional() })),
  structuredContent: z.record(z.string(), z.unknown()).optional(),
  isError: z.boolean().optional(),
});

const listed = z.object({
  name: z.string(),
  _meta: z.object({ "dev.countersign/risk": z.string() }),
});

/** Removes the markers around untrusted text in structured content, because this program compares it. */
function withoutMarkers(value: unknown): unknown {
  if (typeof value === "string") {
    const marked = /^\[untrusted (\w+)\] ([\s\S]*) \[end of untrusted \1\]$/.exec(value);
    return marked?.[2] ?? value;
  }
  if (Array.isArray(value)) return value.map(withoutMarkers);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, field]) => [name, withoutMarkers(field)]),
  );
}

/** The SDK's client finds out the protocol era with a second process, unless its transport is a subclass. */
class OneProcessTransport extends StdioClientTransport {}

/** Starts `countersign serve` as any client does. The person answers its dialogs. */
export async function connectAssistant(
  program: readonly [string, ...string[]],
  env: Record<string, string>,
  person: DemoPerson,
): Promise<DemoAssistant> {
  const [command, ...args] = program;
  return await connectOver(
    new OneProcessTransport({ command, args: [...args, "serve"], env, stderr: "inherit" }),
    person,
  );
}

/** Connects to a server that listens at this transport. */
export async function connectOver(
  transport: Transport,
  person: DemoPerson,
): Promise<DemoAssistant> {
  const client = new Client(
    { name: "countersign-demo", version: version() },
    {
      capabilities: { elicitation: { form: {} } },
      versionNegotiation: { mode: { pin: "2026-07-28" } },
    },
  );
  client.setRequestHandler("elicitation/create", async ({ params }) => ({
    action: "accept",
    content: { decision: await person.answer(params.message) },
  }));
  await client.connect(transport);
  const { tools } = await client.listTools();
  return {
    tools: listed
      .array()
      .parse(tools)
      .map(({ name, _meta }) => ({ name, risk: _meta["dev.countersign/risk"] })),
    call: async (name, toolArguments) => {
      const result = answer.parse(await client.callTool({ name, arguments: toolArguments }));
      return {
        text: result.content.map(({ text = "" }) => text).join("\n"),
        data: z
          .record(z.string(), z.unknown())
          .parse(withoutMarkers(result.structuredContent ?? {})),
        isError: result.isError === true,
      };
    },
    close: () => client.close(),
  };
}
