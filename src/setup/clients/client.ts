import type { ConfigFormat, ConfigKey } from "../../ports/config-format.ts";

/** The name under which clients know this server. */
export const serverName = "countersign";

/** How a client starts the server. */
export interface ServerCommand {
  command: string;
  args: readonly string[];
  env?: Readonly<Record<string, string>>;
}

/** The facts about a machine on which the paths of clients depend. */
export interface Machine {
  system: NodeJS.Platform;
  home: string;
  env: Readonly<Record<string, string | undefined>>;
}

/** A file from which a client reads its servers. */
export interface ConfigPlace {
  /** The first existing file is used, or else the first of the list. */
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
  /** The path of the entries in the file. */
  path: readonly ConfigKey[];
  /** The entry for a server that the client starts. */
  local: (server: ServerCommand) => Entry;
  /** The entry for a server at a URL, if the client can have one. */
  remote?: (url: string) => Entry;
  /** The fields of a remote entry that name the source of the token. They do not contain the token. */
  token?: Entry;
  /** A sentence that says how a person signs in with OAuth instead. Absent if the client cannot. */
  signIn?: string;
  /** A question that the client asks once, to which the token's part of the entry refers. */
  question?: { path: readonly ConfigKey[]; value: Entry };
  /** Sentences for the person about special behaviour of the client. */
  facts: readonly string[];
  /** Sentences about the token. */
  tokenFacts: readonly string[];
  /** The content of a new file besides our entry, if it needs more. */
  newFile?: string;
  /** A link that adds the server, and the same over the web. */
  links?: (server: ServerCommand) => { app: string; web: string };
}
