import { z } from "zod";
import type { EffectivePolicy } from "../core/policy/policy.ts";
import { type Risk, stricter } from "../core/policy/risk.ts";
import { likelyTokens } from "../core/shared/tokens.ts";
import { ours, untrustedText } from "../core/tool/untrusted-text.ts";
import type { Tool } from "../core/tool/tool.ts";
import { defineContract, defineTool } from "../ports/define-tool.ts";
import type { Ports } from "../ports/ports.ts";
import type { ToolDefinition } from "../ports/upstream/upstream-server.ts";

const maxFound = 5;
/** Names of further matches. In the measured requests, half of the tools that the first five miss are among them. */
const maxMore = 15;
/** Tokens of the schemas in one result, which is sent as text and as structured content. */
const maxSchemaTokens = 8_000;
const maxDescriptionCharacters = 1_000;

/** An offered tool and its server. */
export interface OfferedTool {
  name: string;
  server: string;
}

/** A tool that fits a request. */
export interface FoundTool extends OfferedTool {
  definition: ToolDefinition;
  risk: Risk;
}

const spec = {
  name: "find_tools",
  title: "Find tools",
  description:
    "Find tools of other MCP servers that are not listed here. Call them with call_tool.",
  risk: "low",
  operation: "reads",
  needs: [],
  input: z.strictObject({
    query: z
      .string()
      .min(1)
      .max(500)
      .describe('What the tool should do, such as "create a calendar event"'),
  }),
  output: z.object({
    tools: z.array(
      z.object({
        name: ours(z.string()).describe("Pass it to call_tool"),
        risk: z.enum(["low", "medium", "high"]),
        description: untrustedText(z.string()),
        inputSchema: untrustedText(z.string()).optional().describe("JSON Schema of its arguments"),
      }),
    ),
    more: z.array(ours(z.string())).describe("Names of further matches"),
    servers: z.array(ours(z.string())).describe("Other servers"),
    untrusted: z.literal(true).describe("The servers wrote the descriptions"),
  }),
} as const;

/** The contract for `tools/list`. */
export const findToolsContract = defineContract(spec);

/**
 * Creates the tool that finds upstream tools. It finds only those that the caller may call.
 * @param search returns the tools that match, the best first
 * @param offered returns the tools of all servers
 */
export function findTools(
  search: (query: string) => readonly FoundTool[],
  offered: () => readonly OfferedTool[],
  effective: Pick<EffectivePolicy, "denies" | "floorOf">,
): Tool<Ports> {
  return defineTool({
    ...spec,
    execute: ({ query }) => {
      const matches = search(query).filter(({ name }) => !effective.denies(name));
      const found = matches.slice(0, maxFound);
      const further = matches.slice(maxFound, maxFound + maxMore);
      const more = further.map(({ name }) => name);
      const named = new Set([...found, ...further].map(({ server }) => server));
      const others = offered().filter(
        ({ name, server }) => !named.has(server) && !effective.denies(name),
      );
      const servers = [...new Set(others.map(({ server }) => server))];
      let left = maxSchemaTokens;
      const tools = found.map(({ name, definition, risk }) => {
        const schema = JSON.stringify(definition.inputSchema);
        const tokens = likelyTokens(schema);
        const fits = tokens <= left;
        if (fits) left -= tokens;
        return {
          name,
          risk: stricter(risk, effective.floorOf(name)),
          description: (definition.description ?? "").slice(0, maxDescriptionCharacters),
          ...(fits && { inputSchema: schema }),
        };
      });
      return Promise.resolve({ tools, more, servers, untrusted: true as const });
    },
    text: ({ tools, more, servers }) => {
      const isCut = tools.some(({ inputSchema }) => inputSchema === undefined);
      const notices = [
        ...(isCut
          ? ["A schema is left out, because it does not fit. Search with other words."]
          : []),
        ...(more.length > 0
          ? [`Further matches: ${more.join(", ")}. Search for such a name to see its schema.`]
          : []),
        ...(servers.length > 0
          ? [`Other servers: ${servers.join(", ")}. Search for such a name to see its tools.`]
          : []),
      ];
      return {
        facts:
          tools.length === 0
            ? "No tool fits. Try other words."
            : tools.map(({ name, risk }) => `${name} (${risk})`).join("\n"),
        ...(notices.length > 0 && { notices }),
        ...(tools.length > 0 && {
          untrusted: tools
            .map(({ name, description, inputSchema }) =>
              [name, description, ...(inputSchema === undefined ? [] : [inputSchema])].join("\n"),
            )
            .join("\n\n"),
        }),
      };
    },
    describe: (_args, output) =>
      `${output === undefined ? "find" : "found"} tools of upstream servers`,
  });
}
