import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { explainSystemError } from "../../src/app/command-line/explain-system-error.ts";

const systemError = (code: string, path?: string, cause?: Error): Error =>
  Object.assign(new Error(`${code}: text of the system`, { cause }), {
    code,
    ...(path && { path }),
  });

it.each([
  [
    systemError("ENOSPC", "/data/install.key"),
    "There is no space left on the disk for /data/install.key. The command stopped before its end. Free some space, then run it again.",
  ],
  [
    systemError("ERR_STREAM", undefined, systemError("EDQUOT")),
    "There is no space left on the disk. The command stopped before its end. Free some space, then run it again.",
  ],
  [
    systemError("EROFS", "/data/a"),
    "/data/a is on a read-only file system. The command stopped before its end. Choose another place.",
  ],
  [
    systemError("EACCES", "/data/a"),
    "This user has no access to /data/a. The command stopped before its end. Change its permissions, or choose another place.",
  ],
])("a failure of the file system says what to do next: %s", (error, text) => {
  // The terminal showed the system's own text, such as "ENOSPC: no space left on device, copyfile".
  expect(explainSystemError(error)).toBe(text);
});

it("a missing file is explained, and an error of the network or of the program is not", () => {
  const directory = mkdtempSync(join(tmpdir(), "countersign-"));
  let missing: unknown;
  try {
    readFileSync(join(directory, "absent"));
  } catch (error) {
    missing = error;
  }
  rmSync(directory, { recursive: true });
  expect(explainSystemError(missing as Error)).toBe(
    `${join(directory, "absent")} does not exist. The command stopped before its end. Check the path.`,
  );
  expect(explainSystemError(systemError("ECONNREFUSED"))).toBeUndefined();
  expect(explainSystemError(new Error("a fault"))).toBeUndefined();
});
