import type { Config } from "../../config.ts";
import type { Log } from "../../core/shared/log.ts";
import { type Leases, leaderRole } from "../../ports/leases.ts";
import type { Stores } from "../compose/open/open-stores.ts";

/** How long the lease lasts after its holder dies. Milliseconds. */
const leaseMs = 15_000;
/** How often the lease is renewed by its holder and requested by the others. Milliseconds. */
export const requestEveryMs = 5_000;

/** The running jobs of the leader. */
export interface LeaderJobs {
  /** Notifies the person of a new request immediately. */
  wake(): void;
  close(): Promise<void>;
}

/** Starts the jobs of the leader in a process that answers calls. */
export type StartLeaderJobs = (config: Config, stores: Stores, log: Log) => Promise<LeaderJobs>;

export interface LeaderElectionSettings {
  leases: Leases;
  /** Identifies this process. */
  holder: string;
  /** Starts the leader's jobs. They run from election until the lease is lost or released. */
  begin: () => Promise<{ close(): Promise<void> }>;
  log: Log;
}

export interface LeaderElection {
  /** Resolves after the first request for the lease, whether it was given or not. */
  requested: Promise<void>;
  /** Stops the leader's jobs and releases the lease, so that another process need not wait for its end. */
  close(): Promise<void>;
}

/**
 * Requests the leader's lease until it is free, and then renews it. A leader that cannot renew in time stops its jobs
 * before the lease ends. Two processes therefore never fetch the same mailbox at once.
 */
export function startLeaderElection({
  leases,
  holder,
  begin,
  log,
}: LeaderElectionSettings): LeaderElection {
  let jobs: { close(): Promise<void> } | undefined;
  let heldUntil = 0;
  let isClosed = false;
  const requested = request();
  let attempt = requested.then(startOrEnd);
  const timer = setInterval(() => {
    attempt = attempt.then(request).then(startOrEnd);
  }, requestEveryMs);
  timer.unref();

  async function request(): Promise<void> {
    if (isClosed) return;
    // Measured before the request, so that our deadline is earlier than the one in the database.
    const asked = performance.now();
    try {
      const isOurs = await leases.take(leaderRole, holder, leaseMs);
      heldUntil = isOurs ? asked + leaseMs : 0;
    } catch (cause) {
      log.warn("could not request the leader's lease", { cause });
    }
  }

  async function startOrEnd(): Promise<void> {
    if (isClosed) return;
    const isHeld = heldUntil > performance.now() + requestEveryMs;
    try {
      if (isHeld) jobs ??= await begin();
      else await end();
    } catch (cause) {
      log.error("a job of the leader failed", { cause });
    }
  }

  async function end(): Promise<void> {
    const ending = jobs;
    jobs = undefined;
    await ending?.close();
  }

  return {
    requested,
    close: async () => {
      isClosed = true;
      clearInterval(timer);
      await attempt;
      await end();
      await leases.release(leaderRole, holder).catch((cause: unknown) => {
        log.warn("could not release the leader's lease", { cause });
      });
    },
  };
}
