import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Installed, install, newerNode } from "./packages.ts";
import { eachCall, type Outcome, plainOf, runLibrary } from "./programs.ts";
import type { Ran, World } from "./world.ts";

/** One client and how it is driven: configured, started with one task, and left alone. */
export interface Driver {
  id: Installed;
  title: string;
  drive: (world: World) => Promise<Outcome>;
  /** A remark about the driver, for readers of the table. */
  remark?: string;
}

const task = "Tidy my files";

export const bin = (id: Installed, name: string): string =>
  join(install(id), "node_modules", ".bin", name);

const done = (ran: Ran): Outcome => ({ ran: [ran] });

const bearerHeader = ({ token }: World): string => `Bearer ${token}`;

/** Command lines for which `connect` writes the file. */
const connected: readonly Driver[] = [
  {
    id: "claude-code",
    title: "Claude Code",
    drive: async (world) => {
      await world.connect("claude-code");
      const args = [
        "-p",
        task,
        "--allowedTools",
        "mcp__countersign",
        "--output-format",
        "stream-json",
      ];
      return done(
        await world.run(bin("claude-code", "claude"), [...args, "--verbose"], {
          ANTHROPIC_BASE_URL: world.model.url,
          ANTHROPIC_API_KEY: "sk-ant-stub",
          CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
          DISABLE_AUTOUPDATER: "1",
          COUNTERSIGN_TOKEN: world.token,
        }),
      );
    },
  },
  {
    id: "codex",
    title: "Codex",
    drive: async (world) => {
      world.put(
        ".codex/config.toml",
        [
          'model = "stub-model"',
          // The limit of every model in Codex's own list. For another model it cuts results to 12 000 characters.
          "tool_output_token_limit = 10000",
          'model_provider = "stub"',
          "",
          "[model_providers.stub]",
          'name = "stub"',
          `base_url = "${world.model.url}/v1"`,
          'wire_api = "responses"',
          'env_key = "STUB_KEY"',
          "supports_websockets = false",
          "",
        ].join("\n"),
      );
      await world.connect("codex");
      return done(
        await world.run(bin("codex", "codex"), ["exec", "--skip-git-repo-check", "--json", task], {
          STUB_KEY: "x",
          COUNTERSIGN_TOKEN: world.token,
        }),
      );
    },
  },
  {
    id: "gemini-cli",
    title: "Gemini CLI",
    drive: async (world) => {
      world.put(
        ".gemini/settings.json",
        JSON.stringify(settingsOf("gemini-api-key"), undefined, 2),
      );
      await world.connect("gemini-cli");
      const args = ["--yolo", "--output-format", "stream-json", "-m", "gemini-2.5-pro", "-p", task];
      return done(
        await world.run(join(newerNode(), "node"), [bin("gemini-cli", "gemini"), ...args], {
          GEMINI_API_KEY: "stub",
          GEMINI_CLI_TRUST_WORKSPACE: "true",
          GOOGLE_GEMINI_BASE_URL: world.model.url,
          COUNTERSIGN_TOKEN: world.token,
        }),
      );
    },
  },
  {
    id: "opencode",
    title: "opencode",
    drive: async (world) => {
      const options = { baseURL: `${world.model.url}/v1`, apiKey: "x" };
      const limit = { context: 200_000, output: 8000 };
      const models = { "stub-model": { name: "stub", tool_call: true, limit } };
      const stub = { npm: "@ai-sdk/openai-compatible", name: "Stub", options, models };
      const settings = {
        autoupdate: false,
        share: "disabled",
        model: "stub/stub-model",
        small_model: "stub/stub-model",
        provider: { stub },
      };
      world.put(".config/opencode/opencode.json", JSON.stringify(settings, undefined, 2));
      await world.connect("opencode");
      return done(
        await world.run(bin("opencode", "opencode"), ["run", "--format", "json", task], {
          OPENCODE_DISABLE_MODELS_FETCH: "1",
          OPENCODE_DISABLE_AUTOUPDATE: "1",
          COUNTERSIGN_TOKEN: world.token,
        }),
      );
    },
  },
  {
    id: "copilot-cli",
    title: "Copilot CLI",
    drive: async (world) => {
      await world.connect("copilot-cli");
      return done(
        await world.run(bin("copilot-cli", "copilot"), ["-p", task, "--allow-all-tools"], {
          COPILOT_OFFLINE: "true",
          COPILOT_AUTO_UPDATE: "false",
          COPILOT_PROVIDER_BASE_URL: `${world.model.url}/v1`,
          COPILOT_PROVIDER_API_KEY: "x",
          COPILOT_MODEL: "stub-model",
          COPILOT_PROVIDER_WIRE_API: "completions",
          COUNTERSIGN_TOKEN: world.token,
        }),
      );
    },
  },
  {
    id: "cline",
    title: "Cline",
    drive: async (world) => {
      await world.connect("cline");
      // The command line of Cline does not read variables in this file.
      const file = join(world.user, ".cline", "data", "settings", "cline_mcp_settings.json");
      const entry = readFileSync(file, "utf8");
      writeFileSync(file, entry.replace("${env:COUNTERSIGN_TOKEN}", world.token));
      const provider = ["-p", "openai", "-k", "x", "-m", "stub-model"];
      const auth = ["auth", ...provider, "-b", `${world.model.url}/v1`];
      const signedIn = await world.run(bin("cline", "cline"), auth);
      const args = ["--json", "--auto-approve", "true", task];
      return { ran: [signedIn, await world.run(bin("cline", "cline"), args)] };
    },
  },
  {
    id: "continue",
    title: "Continue",
    drive: async (world) => {
      world.put(
        ".continue/config.yaml",
        [
          "name: test",
          "version: 0.0.1",
          "schema: v1",
          "models:",
          "  - name: stub",
          "    provider: openai",
          "    model: stub-model",
          `    apiBase: ${world.model.url}/v1`,
          "    apiKey: x",
          "    roles: [chat]",
          "    capabilities: [tool_use]",
          "",
        ].join("\n"),
      );
      world.put(".continue/.env", `COUNTERSIGN_TOKEN=${world.token}\n`);
      await world.connect("continue");
      const config = join(world.user, ".continue", "config.yaml");
      const args = [bin("continue", "cn"), "-p", task, "--auto", "--config", config];
      return done(
        await world.run(join(newerNode(), "node"), args, { CONTINUE_TELEMETRY_ENABLED: "0" }),
      );
    },
  },
];

function settingsOf(selectedType: string): Record<string, unknown> {
  return {
    security: { auth: { selectedType } },
    privacy: { usageStatisticsEnabled: false },
    general: { disableAutoUpdate: true, enableAutoUpdate: false },
  };
}

function plainEntry(world: World, urlField = "httpUrl"): object {
  const { command, args, url } = world.server;
  return url === undefined
    ? { command, args, env: { COUNTERSIGN_DATA_DIR: world.data } }
    : { [urlField]: url, headers: { Authorization: bearerHeader(world) } };
}

/** Command lines that are configured here, and those that make one call at a time. */
const others: readonly Driver[] = [
  {
    id: "qwen-code",
    title: "Qwen Code",
    drive: async (world) => {
      const mcpServers = { countersign: { ...plainEntry(world), trust: true } };
      world.put(".qwen/settings.json", JSON.stringify({ ...settingsOf("openai"), mcpServers }));
      const args = [
        "--auth-type",
        "openai",
        "--yolo",
        "--output-format",
        "stream-json",
        "-p",
        task,
      ];
      return done(
        await world.run(join(newerNode(), "node"), [bin("qwen-code", "qwen"), ...args], {
          OPENAI_API_KEY: "stub",
          OPENAI_BASE_URL: `${world.model.url}/v1`,
          OPENAI_MODEL: "stub-model",
        }),
      );
    },
  },
  {
    id: "inspector",
    title: "MCP Inspector (CLI)",
    drive: (world) => {
      const { command, args, url } = world.server;
      const target =
        url === undefined
          ? [command, ...args, "-e", `COUNTERSIGN_DATA_DIR=${world.data}`]
          : [url, "--transport", "http", "--header", `Authorization: ${bearerHeader(world)}`];
      const inspector = (more: readonly string[]): Promise<Ran> =>
        world.run(join(newerNode(), "node"), [
          bin("inspector", "mcp-inspector"),
          "--cli",
          ...target,
          ...more,
        ]);
      return eachCall(
        world,
        () => inspector(["--method", "tools/list"]),
        (name, given) => {
          const pairs = Object.entries(given).flatMap(([key, value]) => [
            "--tool-arg",
            `${key}=${typeof value === "string" ? value : JSON.stringify(value)}`,
          ]);
          return inspector(["--method", "tools/call", "--tool-name", name, ...pairs]);
        },
      );
    },
  },
  {
    id: "mcporter",
    title: "mcporter",
    drive: (world) => {
      const config = join(world.work, "mcporter.json");
      const mcpServers = { countersign: plainEntry(world, "baseUrl") };
      if (!existsSync(config)) writeFileSync(config, JSON.stringify({ mcpServers }));
      const porter = (...more: string[]): Promise<Ran> =>
        world.run(join(newerNode(), "node"), [
          bin("mcporter", "mcporter"),
          "--config",
          config,
          ...more,
        ]);
      return eachCall(
        world,
        () => porter("list", "countersign", "--json"),
        (name, given) =>
          porter(
            "call",
            `countersign.${name}`,
            "--args",
            JSON.stringify(given),
            "--output",
            "json",
          ),
      );
    },
  },
];

const libraries: readonly (readonly [Installed, title: string, ending: "mjs" | "py", "plain"?])[] =
  [
    ["ai-sdk", "Vercel AI SDK", "mjs"],
    ["openai-agents", "OpenAI Agents (npm)", "mjs"],
    ["openai-agents-python", "OpenAI Agents (Python)", "py"],
    ["langchain", "LangChain adapters (npm)", "mjs"],
    ["langchain-python", "LangChain adapters (Python)", "py"],
    ["mastra", "Mastra", "mjs"],
    ["pydantic-ai", "Pydantic AI", "py"],
    ["smolagents", "smolagents", "py"],
    ["google-adk", "Google ADK (Python)", "py"],
    ["agent-framework", "Microsoft Agent Framework (Python)", "py"],
    ["strands", "Strands Agents (Python)", "py"],
    ["python-mcp", "Python SDK", "py", "plain"],
    ["fastmcp", "FastMCP", "py", "plain"],
  ];

const remarks: Partial<Record<Installed, string>> = {
  "pydantic-ai": "with the name `pydantic-ai` in its `client_info`",
  "agent-framework": "with `content_only` and `include_detailed_errors`",
  smolagents: "with `mcp` 1.30.0, and every argument marked as nullable in the program",
};

/** mcp-remote is a server over stdio to its client, here the Python SDK. It connects to our server over HTTP. */
const remote: Driver = {
  id: "mcp-remote",
  title: "mcp-remote (with the Python SDK)",
  drive: async (world) => {
    const { url = "" } = world.server;
    const args = [
      bin("mcp-remote", "mcp-remote"),
      url,
      "--header",
      `Authorization:${bearerHeader(world)}`,
      "--allow-http",
      "--transport",
      "http-only",
    ];
    const server = { command: join(newerNode(), "node"), args, url: undefined };
    return plainOf(await runLibrary({ ...world, server }, "python-mcp", "py"));
  },
};

export const drivers: readonly Driver[] = [
  ...connected,
  ...others,
  remote,
  ...libraries.map(([id, title, ending, plain]): Driver => ({
    id,
    title,
    ...(remarks[id] !== undefined && { remark: remarks[id] }),
    drive: async (world) => {
      const ran = await runLibrary(world, id, ending);
      return plain === undefined ? done(ran) : plainOf(ran);
    },
  })),
];
