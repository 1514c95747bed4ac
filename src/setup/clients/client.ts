import type { ConfigFormat, ConfigKey } from "../../ports/config-format.ts";

/** The name under which clients know this server. */
export const serverName = "countersign";

/** How a client starts the server. */
export interface ServerCommand {
  command: string;
  args: readonly string[];
  env?: Readonly<Record<string, string>>;
}

/** A machine, as far as the paths of clients depend on it. */
export interface Machine {
  system: NodeJS.Platform;
  home: string;
  env: Readonly<Record<string, string | undefined>>;
}

/** A file in which a client looks for its servers. */
export interface ConfigPlace {
  /** The first one that exists is used, else the first. */
  files: readonly [string, ...string[]];
  /** Directories that exist only if the client is or was on the machine. */
  signs: readonly string[];
}

export type Entry = Readonly<Record<string, unknown>>;

/** The writer of each format. */
export type ConfigFormats = Readonly<Record<McpClient["format"], ConfigFormat>>;

/** The facts about one client. */
export interface McpClient {
  /** The name on the command line. */
  id: string;
  title: string;
  format: "json" | "toml" | "yaml";
  /** Names of its programs in PATH. */
  programs: readonly string[];
  places: (machine: Machine) => readonly ConfigPlace[];
  /** Where in the file its entry is. */
  path: readonly ConfigKey[];
  /** The entry for a server that the client starts. */
  local: (server: ServerCommand) => Entry;
  /** The entry for a server at a URL, if the client can have one. */
  remote?: (url: string) => Entry;
  /** The fields of a remote entry that say where the token comes from. They hold no token. */
  token?: Entry;
  /** How a person signs in with OAuth instead, in one sentence. Absent if the client cannot. */
  signIn?: string;
  /** A question that the client asks once, to which the token's part of the entry refers. */
  question?: { path: readonly ConfigKey[]; value: Entry };
  /** Sentences for the person: what the client does that others do not. */
  facts: readonly string[];
  /** Sentences about the token. */
  tokenFacts: readonly string[];
  /** The start of a new file, if it needs more than our entry. */
  newFile?: string;
  /** A link that adds the server, and the same over the web. */
  links?: (server: ServerCommand) => { app: string; web: string };
}
