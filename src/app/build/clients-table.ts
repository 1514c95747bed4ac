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
  const facts = mcpClients.flatMap((client) => [
    `- **${client.title}**: ${[
      ...client.facts,
      ...client.tokenFacts.map((fact) => `With \`--http\`: ${fact}`),
      ...(client.signIn === undefined ? [] : [`With \`--sign-in\`: ${client.signIn}`]),
    ].join(" ")}`,
  ]);
  return [
    table(["client", "name", "file on Linux", "on macOS", "on Windows", "transports"], rows),
    "",
    ...facts,
  ].join("\n");
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
