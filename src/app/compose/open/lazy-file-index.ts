import type { Log } from "../../../core/shared/log.ts";
import type { OpenedFileIndex } from "./open-file-index.ts";
import type { Stores } from "./open-stores.ts";

/** Loads the index with its parser at the first search, because few processes ever search files. */
export function lazyFileIndex(
  stores: Pick<Stores, "database" | "files">,
  log: Log,
): Pick<OpenedFileIndex, "search" | "close"> {
  let opening: Promise<OpenedFileIndex> | undefined;
  const opened = (): Promise<OpenedFileIndex> =>
    (opening ??= import("./open-file-index.ts").then(({ openFileIndex }) =>
      openFileIndex({ ...stores, log }),
    ));
  return {
    search: async (search) => await (await opened()).search(search),
    close: async () => await (await opening)?.close(),
  };
}
