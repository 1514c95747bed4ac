import type { Config } from "../../config.ts";
import type { Log } from "../../core/shared/log.ts";
import { createLog } from "../platform/log.ts";
import { loadSettings } from "../platform/settings.ts";
import { openStores, type Stores } from "./open/open-stores.ts";

export interface OpenedStores {
  config: Config;
  stores: Stores;
  log: Log;
}

/**
 * Reads the settings, opens the stores, and closes them when the command has ended.
 * @throws ConfigError
 */
export async function withStores<Result>(
  envFile: string | undefined,
  act: (opened: OpenedStores) => Promise<Result>,
): Promise<Result> {
  const config = loadSettings({ envFile });
  const log = createLog(config.logLevel);
  const stores = openStores(config, log);
  try {
    return await act({ config, stores, log });
  } finally {
    await stores.close();
  }
}
