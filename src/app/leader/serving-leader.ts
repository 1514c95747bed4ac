import type { StartLeaderJobs } from "./leader-election.ts";

/**
 * Starts the jobs of the leader in `serve` or in a program that calls the tools. Their modules are imported when the
 * process becomes the leader, because most processes never need the mail parser and the Telegram client.
 */
export const startLeaderJobs: StartLeaderJobs = async (config, stores, log) => {
  const [{ openIngest }, { startLeaderJobsWith }] = await Promise.all([
    import("../compose/open/open-ingest.ts"),
    import("./leader-jobs.ts"),
  ]);
  const ingest = openIngest(config, log);
  const jobs = await startLeaderJobsWith(ingest, { config, stores, log });
  return {
    wake: () => jobs.wake(),
    close: async () => {
      await jobs.close();
      await ingest.close();
    },
  };
};
