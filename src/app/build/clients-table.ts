import type { Machine } from "../../setup/clients/client.ts";
import { mcpClients } from "../../setup/clients/table.ts";
import { code, table } from "./reference-tables.ts";

const machines: readonly Machine[] = [
  { system: "linux", home: "~", env: {} },
  { system: "darwin", home: "~", env: {} },
  { system: "win32", home: "%USERPROFILE%", env: { APPDATA: "%APPDATA%" } },
];

/** Lists the clients that `connect` knows: names, files, transports, and notes for a person. */
export function clientsTable(): string {
  const rows = mcpClients.map(({ id, title, places, remote }) => [
    title,
    code(id),
    // Cline's last path is that of its command line, which the table shows.
    ...machines.map((machine) => code(places(machine).at(id === "cline" ? -1 : 0)?.files[0] ?? "")),
    remote === undefined ? "stdio" : "stdio, HTTP",
  ]);
  const facts = mcpClients.map((client) => {
    const own = client.tokenFacts.filter((fact) => clientsWith(fact).length === 1);
    const sentences = [
      ...client.facts,
      ...own.map((fact) => `With \`--http\`: ${fact}`),
      ...(client.signIn === undefined ? [] : [`With \`--sign-in\`: ${client.signIn}`]),
    ];
    return `- **${client.title}**: ${sentences.join(" ")}`;
  });
  return [
    table(["client", "name", "file on Linux", "on macOS", "on Windows", "transports"], rows),
    "",
    ...facts,
    "",
    ...sharedTokenFacts(),
  ].join("\n");
}

function clientsWith(fact: string): string[] {
  return mcpClients.filter(({ tokenFacts }) => tokenFacts.includes(fact)).map(({ title }) => title);
}

/** Lists the facts about tokens that are the same for several clients, so that each is read once. */
function sharedTokenFacts(): string[] {
  return [...new Set(mcpClients.flatMap(({ tokenFacts }) => tokenFacts))]
    .filter((fact) => clientsWith(fact).length > 1)
    .map((fact) => `With \`--http\`, for ${clientsWith(fact).join(", ")}: ${fact}`);
}

/** Returns links that add the server, for clients that support links. The links start it with npx. */
export function deepLinks(): string {
  const server = { command: "npx", args: ["-y", "countersign", "serve"] };
  return mcpClients
    .flatMap(({ title, links }) => {
      const made = links?.(server);
      return made === undefined
        ? []
        : [
            `[Add to ${title}](${made.web}), or open this in a browser:\n\n\`\`\`\n${made.app}\n\`\`\``,
          ];
    })
    .join("\n\n");
}
