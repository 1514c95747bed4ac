import { visible } from "../../../core/shared/text/visible.ts";
import type { ServerTarget } from "../../../ports/upstream/upstream-server.ts";

/** Returns the command or the address of a server, as a person wrote it in `servers.json`. */
export function serverPlace(target: ServerTarget): string {
  return visible(target.kind === "http" ? target.url : [target.command, ...target.args].join(" "));
}
