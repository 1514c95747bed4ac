import type { Tool } from "./tool.ts";

/** Tools beside those of the program, which may change while it runs. */
export interface ToolSource<Ports> {
  names(): readonly string[];
  find(name: string): Tool<Ports> | undefined;
  /** Why a tool that this source knows cannot be called now. Undefined for other names. */
  withheld(name: string): string | undefined;
}
