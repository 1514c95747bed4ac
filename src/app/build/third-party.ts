import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";

const manifest = z.object({
  name: z.string(),
  version: z.string(),
  license: z.string().optional(),
});

/**
 * Returns the folders of the packages in a bundle.
 * @param inputs the paths of its sources
 */
export function bundledPackages(inputs: readonly string[]): string[] {
  const folders = inputs.flatMap((path) => {
    const [, folder] = /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(path) ?? [];
    return folder === undefined ? [] : [folder];
  });
  return [...new Set(folders)].toSorted();
}

/**
 * Returns the notice that ships with the bundle: each package with its version and license text.
 * @throws if a package names no license, and its license file is missing too
 */
export function notices(root: string, folders: readonly string[]): string {
  const packages = folders.map((folder) => noticeOf(join(root, folder)));
  return [
    "This program contains the following packages. Each is used under its own license.",
    ...packages.toSorted((one, other) => one.localeCompare(other, "en")),
  ].join(`\n\n${"=".repeat(80)}\n\n`);
}

function noticeOf(folder: string): string {
  const { name, version, license } = manifest.parse(
    JSON.parse(readFileSync(join(folder, "package.json"), "utf8")),
  );
  const texts = readdirSync(folder)
    .filter((file) => /^(?:licen[cs]e|copying|notice)\b/i.test(file))
    .map((file) => readFileSync(join(folder, file), "utf8").trim());
  if (license === undefined && texts.length === 0)
    throw new Error(`${name} ${version} names no license and contains none`);
  return [`${name} ${version} (${license ?? "see below"})`, ...texts].join("\n\n");
}
