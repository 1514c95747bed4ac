import type { Database } from "../../../adapters/libsql/driver/database.ts";
import { createFileRows } from "../../../adapters/libsql/search/file-rows.ts";
import type { Log } from "../../../core/shared/log.ts";
import { createParser } from "../../../ingest/mime/parser.ts";
import type { FileIndex } from "../../../ports/files/file-index.ts";
import type { Files } from "../../../ports/files/files.ts";
import type { ObjectFacts } from "../../../ports/files/objects.ts";
import { attachmentKind, bytesRead } from "../../../ingest/text/attachment-kind.ts";

/** Bytes of a document that is read. Only the name of a larger one is searchable. */
const maxDocumentBytes = 25_000_000;
/** How long a search waits for changed files. Milliseconds. */
const searchWaitsMs = 4_000;
/** Keys per request to the store, its own limit. */
const keysAtOnce = 1_000;

export interface OpenedFileIndex extends FileIndex {
  /** Indexes changed files for at most this long. Returns the number of those that remain. */
  refresh(forMs: number, signal?: AbortSignal): Promise<number>;
  close(): Promise<void>;
}

/**
 * Opens the index of the user's files. It is compared with the store by version before each search, so that it has
 * every write, whichever program made it. Documents are read in the thread that reads attachments.
 */
export function openFileIndex({
  database,
  files,
  log,
}: {
  database: Database;
  files: Files;
  log: Log;
}): OpenedFileIndex {
  const rows = createFileRows(database);
  const parser = createParser({ threads: 1 });

  async function listed(signal: AbortSignal | undefined): Promise<ObjectFacts[]> {
    const all: ObjectFacts[] = [];
    for (let after: string | undefined; ;) {
      const page = await files.list({
        prefix: "",
        limit: keysAtOnce,
        ...(after !== undefined && { after }),
        ...(signal && { signal }),
      });
      all.push(...page.objects);
      after = page.next;
      if (after === undefined) return all;
    }
  }

  async function refresh(forMs: number, signal?: AbortSignal): Promise<number> {
    const until = performance.now() + forMs;
    const [known, present] = await Promise.all([rows.versions(), listed(signal)]);
    const keys = new Set(present.map(({ key }) => key));
    await rows.remove([...known.keys()].filter((key) => !keys.has(key)));
    const changed = present.filter(({ key, etag }) => known.get(key) !== etag);
    for (const [at, file] of changed.entries()) {
      if (performance.now() > until || signal?.aborted) return changed.length - at;
      await index(file, signal);
    }
    return 0;
  }

  async function index(file: ObjectFacts, signal: AbortSignal | undefined): Promise<void> {
    const kind = attachmentKind(file.mediaType, file.key);
    if (kind === undefined || Math.min(file.bytes, bytesRead(kind)) > maxDocumentBytes)
      return await rows.put(file, undefined);
    const { body, facts } = await files.read(file.key, {
      offset: 0,
      length: Math.min(file.bytes, maxDocumentBytes),
      ...(signal && { signal }),
    });
    const document = { content: body, mediaType: facts.mediaType, name: facts.key };
    for await (const text of parser.attachmentTexts([document]))
      await rows.put(facts, text && Buffer.from(text).toString("utf-8"));
  }

  return {
    refresh,
    search: async ({ signal, ...search }) => {
      let pending = 0;
      try {
        pending = await refresh(searchWaitsMs, signal);
      } catch (cause) {
        if (signal?.aborted) throw cause;
        log.warn("indexing files failed; the search uses the older index", { cause });
        pending = 1;
      }
      return { ...(await rows.search(search)), pending };
    },
    close: () => parser.close(),
  };
}
