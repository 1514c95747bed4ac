import { createTavilySearch } from "../../../adapters/tavily/web-search.ts";
import type { Config } from "../../../config.ts";
import { guidance } from "../../../core/approvals/approval.ts";
import type { ChannelsHere } from "../../../core/approvals/directions.ts";
import type { Log } from "../../../core/shared/log.ts";
import type { Ports } from "../../../ports/ports.ts";
import { createKeptResults } from "../../../stores/kept-results.ts";
import { lazyFileIndex } from "./lazy-file-index.ts";
import { lazyOwnChat } from "./lazy-own-chat.ts";
import type { Stores } from "./open-stores.ts";

/** The ports of the tools, without those that the settings leave out. */
export interface ToolPorts {
  ports: Partial<Ports>;
  close(): Promise<void>;
}

/**
 * Opens the ports of the tools.
 * @param findApproval finds a request as its caller may see it
 */
export function openToolPorts(
  {
    config,
    log,
    here,
    findApproval,
  }: {
    config: Config;
    log: Log;
    here: ChannelsHere;
    findApproval: Ports["approvals"]["find"];
  },
  stores: Stores,
): ToolPorts {
  const { telegram, webSearch } = config;
  const { files, mail, calendar, objects, database } = stores;
  const fileIndex = config.searchesFiles ? lazyFileIndex(stores, log) : undefined;
  return {
    ports: {
      files,
      mail,
      results: createKeptResults(objects),
      approvals: { find: findApproval, guidance: (ticket) => guidance(ticket, here) },
      ...(calendar && { calendar }),
      ...(telegram && lazyOwnChat(telegram, database)),
      ...(fileIndex && { fileIndex }),
      ...(webSearch && { web: createTavilySearch({ ...webSearch, log }) }),
    },
    close: async () => {
      await fileIndex?.close();
    },
  };
}
