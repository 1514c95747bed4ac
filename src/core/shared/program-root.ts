// Where the program's own files are. It runs from its sources, from `dist/`, or from a bundle: a flat folder of `.js` files
// beside `dist/`. Only this file knows which, so nothing else needs a path relative to itself.

const self = import.meta.url;

/** Undefined in a bundle, where this file has become part of another one. */
const inTree = /\/core\/shared\/program-root\.(ts|js)$/.exec(self);

/** The folder of the modules: `src/`, `dist/` or the bundle's. */
const modules = new URL(inTree === null ? "./" : "../../", self);

const extension = inTree?.[1] ?? "js";

/** The folder of package.json. */
export const programRoot = new URL("../", modules);

/** Returns the URL of a file or folder that ships with the package. @param path below the package's folder */
export function packageFile(path: string): URL {
  return new URL(path, programRoot);
}

/** The modules that threads start with, without their extension. A bundle has each under its name alone. */
export const workerFiles = {
  "database-worker": "adapters/libsql/driver/database-worker",
  "check-worker": "adapters/mailauth/check-worker",
  "parse-worker": "ingest/mime/parse-worker",
} as const;

export type WorkerEntry = keyof typeof workerFiles;

/** Returns the address of a thread's file. */
export function workerFile(entry: WorkerEntry): URL {
  return new URL(`${inTree === null ? entry : workerFiles[entry]}.${extension}`, modules);
}
