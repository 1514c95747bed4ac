import { isDiskFull, systemCode } from "../platform/safe-file.ts";

const unfinished = "The command stopped before its end.";

/** Explains a failure of the file system to a person. Undefined for any other error. */
export function explainSystemError(error: Error): string | undefined {
  const path = "path" in error && typeof error.path === "string" ? error.path : undefined;
  if (isDiskFull(error)) {
    const file = path === undefined ? "" : ` for ${path}`;
    return `There is no space left on the disk${file}. ${unfinished} Free some space, then run it again.`;
  }
  if (path === undefined) return undefined;
  switch (systemCode(error)) {
    case "EROFS":
      return `${path} is on a read-only file system. ${unfinished} Choose another place.`;
    case "EACCES":
    case "EPERM":
      return `This user has no access to ${path}. ${unfinished} Change its permissions, or choose another place.`;
    case "ENOENT":
    case "ENOTDIR":
      return `${path} does not exist. ${unfinished} Check the path.`;
    default:
      return undefined;
  }
}
