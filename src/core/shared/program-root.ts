// Locates the program's own files. The program runs from its sources, from `dist/`, or from a bundle: a flat folder of
// `.js` files beside `dist/`. Only this file knows which, so no other module needs a path relative to itself.

const self = import.meta.url;

/** Null in a bundle, which contains this file in another one. */
const inTree = /\/core\/shared\/program-root\.(ts|js)$/.exec(self);

/** The folder of the modules: `src/`, `dist/` or the bundle. */
const modules = new URL(inTree === null ? "./" : "../../", self);

const extension = inTree?.[1] ?? "js";

/** The folder of package.json. */
export const programRoot = new URL("../", modules);

/**
 * Returns the URL of a file or folder that ships with the package.
 * @param path below the package's folder
 */
export function packageFile(path: string): URL {
  return new URL(path, programRoot);
}

/** The entry modules of threads, without extension. A bundle has each at its top level. */
export const workerFiles = {
  "database-worker": "adapters/libsql/driver/database-worker",
  "check-worker": "adapters/mailauth/check-worker",
  "schema-worker": "adapters/ajv/schema-worker",
  "parse-worker": "ingest/mime/parse-worker",
  "marks-worker": "adapters/fingerprints/marks-worker",
} as const;

export type WorkerEntry = keyof typeof workerFiles;

/** Returns the URL of a thread's entry file. */
export function workerFile(entry: WorkerEntry): URL {
  return new URL(`${inTree === null ? entry : workerFiles[entry]}.${extension}`, modules);
}
