import type { Log } from "../../src/core/shared/log.ts";

const nothing = (): void => undefined;

/** For tests that do not care what is said. */
export const quietLog: Log = { debug: nothing, info: nothing, warn: nothing, error: nothing };
