import { homedir, userInfo } from "node:os";
import { isAbsolute } from "node:path";

/**
 * Returns the home directory of this user: `HOME` if it is an absolute path, because a relative one would lead into the
 * working directory, else that of the system's list of users. A container may run as a user outside this list. Its home
 * is then the root directory, as Docker says.
 */
export function homeDirectory(): string {
  for (const read of [homedir, () => userInfo().homedir]) {
    const found = orUndefined(read);
    if (found !== undefined && isAbsolute(found)) return found;
  }
  return "/";
}

/** Returns the name of this user, or the number if the system has no name for it. */
export function userName(): string {
  return orUndefined(() => userInfo().username) ?? `user ${process.getuid?.() ?? "unknown"}`;
}

/** Returns undefined if the system's list lacks this user: Node throws then. */
function orUndefined(read: () => string): string | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}
