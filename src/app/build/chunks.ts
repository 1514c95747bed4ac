import { basename, join } from "node:path";
import type { OutputOptions } from "rolldown";

type CodeSplitting = Exclude<OutputOptions["codeSplitting"], boolean | undefined>;
type NameOfChunk = Extract<NonNullable<CodeSplitting["groups"]>[number]["name"], Function>;
type Modules = Parameters<NameOfChunk>[1];

/**
 * Returns the rule by which the bundler joins the program's modules into few chunks. The modules of a chunk belong to the
 * same start and need the same packages, so a command loads only packages that it uses. Two chunks never import each
 * other: the importing one needs more packages, or belongs to a later start.
 * @param sources the folder of the program's modules
 * @param starts the entry modules of each start, the first start first
 */
export function chunksOfStarts(
  sources: string,
  starts: readonly (readonly string[])[],
): CodeSplitting {
  const loaded = new Map<string, ReadonlySet<string>>();

  /** Returns the ids of a module and of all that it loads. */
  function loadedWith(id: string, modules: Modules): ReadonlySet<string> {
    const known = loaded.get(id);
    if (known !== undefined) return known;
    const all = new Set<string>([id]);
    // A set's iteration includes what is added meanwhile.
    for (const each of all)
      for (const imported of modules.getModuleInfo(each)?.importedIds ?? []) all.add(imported);
    loaded.set(id, all);
    return all;
  }

  function nameOfChunk(id: string, modules: Modules): string | null {
    if (!id.startsWith(join(sources, "/"))) return null;
    const start = starts.find((entries) =>
      entries.some((entry) => loadedWith(join(sources, `${entry}.ts`), modules).has(id)),
    );
    const entry = start?.[0];
    if (entry === undefined || id === join(sources, "main.ts")) return null;
    return [basename(entry), ...packagesOf(loadedWith(id, modules))].join("-");
  }

  return {
    includeDependenciesRecursively: false,
    groups: [{ name: nameOfChunk, debugName: "modules of a start" }],
  };
}

/** Returns the sorted names of the packages, without scopes. */
function packagesOf(ids: Iterable<string>): string[] {
  const names = [...ids].flatMap(
    (id) => /.*[\\/]node_modules[\\/](?:@[^\\/]+[\\/])?([^\\/]+)/.exec(id)?.[1] ?? [],
  );
  return [...new Set(names)].toSorted();
}
