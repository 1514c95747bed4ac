/** The texts of a tool that a search compares. */
export interface SearchedTool {
  /** The name under which the tool is offered. */
  id: string;
  server: string;
  /** The server's own name of the tool. */
  name: string;
  title: string;
  description: string;
  argumentNames: readonly string[];
  /** The descriptions of the arguments, and their possible values. */
  argumentTexts: readonly string[];
  /** True if the server claims that the tool changes nothing. */
  readsOnly: boolean;
}

/** Returns the ids of the tools that fit a request, the best first. */
export type ToolSearch = (request: string) => readonly string[];
