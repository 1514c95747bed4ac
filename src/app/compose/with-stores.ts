import type { Config } from "../../config.ts";
import type { Log } from "../../core/shared/log.ts";
import { createLog } from "../platform/log.ts";
import { type SettingsSource, loadSettings } from "../platform/settings.ts";
import { openStores, type Stores } from "./open/open-stores.ts";

export interface OpenedStores {
  config: Config;
  stores: Stores;
  log: Log;
}

/**
 * Reads the settings, opens the stores, and closes them when the command has ended.
 * @param refuse see `SettingsSource`
 * @throws ConfigError
 */
export async function withStores<Result>(
  envFile: string | undefined,
  act: (opened: OpenedStores) => Promise<Result>,
  { refuse }: Pick<SettingsSource, "refuse"> = {},
): Promise<Result> {
  const config = loadSettings({ envFile, ...(refuse && { refuse }) });
  const log = createLog(config.logLevel);
  const stores = openStores(config, log);
  try {
    return await act({ config, stores, log });
  } finally {
    await stores.close();
  }
}
