import type { Log } from "../../core/shared/log.ts";
import { type Leases, residentRole } from "../../ports/leases.ts";

/** How long the role stays taken when its holder dies, and how often it is renewed and asked for. Milliseconds. */
const leaseMs = 15_000;
const lookEveryMs = 5_000;

export interface LeaderElectionSettings {
  leases: Leases;
  /** Names this process. */
  holder: string;
  /** What the holder does; runs from when the role was taken until it was lost or given back. */
  begin: () => Promise<{ close(): Promise<void> }>;
  log: Log;
}

export interface LeaderElection {
  /** Ends what the role began and gives it back, so that another need not wait for the lease to end. */
  close(): Promise<void>;
}

/**
 * Takes the resident role as soon as nobody else has it, and keeps it. Whoever cannot renew in time stops before the lease
 * ends, so that no two processes ever fetch the same mailbox.
 */
export function startLeaderElection({
  leases,
  holder,
  begin,
  log,
}: LeaderElectionSettings): LeaderElection {
  let duty: { close(): Promise<void> } | undefined;
  let heldUntil = 0;
  let isClosed = false;
  let looking = look();
  const timer = setInterval(() => {
    looking = looking.then(look);
  }, lookEveryMs);
  timer.unref();

  async function look(): Promise<void> {
    if (isClosed) return;
    // Counted from before the request: the database's lease then ends later than ours.
    const asked = performance.now();
    try {
      const isOurs = await leases.take(residentRole, holder, leaseMs);
      heldUntil = isOurs ? asked + leaseMs : 0;
    } catch (cause) {
      log.warn("could not ask for the resident role", { cause });
    }
    const isHeld = heldUntil > performance.now() + lookEveryMs;
    try {
      if (isHeld) duty ??= await begin();
      else await end();
    } catch (cause) {
      log.error("what belongs to the resident role failed", { cause });
    }
  }

  async function end(): Promise<void> {
    const ending = duty;
    duty = undefined;
    await ending?.close();
  }

  return {
    close: async () => {
      isClosed = true;
      clearInterval(timer);
      await looking;
      await end();
      await leases.giveBack(residentRole, holder).catch((cause: unknown) => {
        log.warn("could not give the resident role back", { cause });
      });
    },
  };
}
