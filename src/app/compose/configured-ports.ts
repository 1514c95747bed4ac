import type { Config } from "../../config.ts";

/** Returns whether a port is available. Mail, files and requests always are, by default in the data directory. */
export function isConfigured(need: string, config: Config): boolean {
  switch (need) {
    case "calendar":
      return config.calendar !== undefined;
    case "web":
      return config.webSearch !== undefined;
    case "ownChat":
    case "reminders":
      return config.telegram !== undefined;
    case "fileIndex":
      return config.searchesFiles;
    default:
      return true;
  }
}

/** The ports of tools beyond the fourteen, which exist only for those who configured them. */
const furtherPorts = new Set(["ownChat", "reminders", "fileIndex"]);

/** Returns whether a tool is one of the fourteen, or configured. */
export function isInCatalog({ needs }: { needs: readonly string[] }, config: Config): boolean {
  return needs.every((need) => !furtherPorts.has(need) || isConfigured(need, config));
}
