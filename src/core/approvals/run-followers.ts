import { isStopped } from "../call/caller-stop.ts";
import { type Cancellation, LazySignal } from "../shared/lazy-signal.ts";
import type { TellProgress } from "../tool/tool.ts";

/** A caller that waits for the run of a request. */
export interface Follower {
  readonly signal: Cancellation;
  readonly progress?: TellProgress | undefined;
}

/** The actions of callers during the run of a request. */
export interface FollowedRun {
  /** Aborts if the last caller that waits asks to stop. */
  readonly signal: Cancellation;
  readonly progress: TellProgress;
}

/** The callers that wait for requests, before and during their runs in this process. */
export interface RunFollowers {
  /** Does work during which a caller waits for a request. */
  follow<T>(ticketId: string, follower: Follower, work: () => Promise<T>): Promise<T>;
  /** Runs a request. */
  run<T>(ticketId: string, work: (run: FollowedRun) => Promise<T>): Promise<T>;
}

export function createRunFollowers(): RunFollowers {
  const followers = new Map<string, Set<Follower>>();
  const runs = new Map<string, LazySignal>();

  function leave(ticketId: string, follower: Follower): void {
    const all = followers.get(ticketId);
    all?.delete(follower);
    if (all?.size === 0) followers.delete(ticketId);
  }

  return {
    follow: async (ticketId, follower, work) => {
      const { signal } = follower;
      const aborted = (): void => {
        leave(ticketId, follower);
        if (isStopped(signal) && !followers.has(ticketId)) runs.get(ticketId)?.abort(signal.reason);
      };
      if (!signal.aborted) {
        followers.set(ticketId, (followers.get(ticketId) ?? new Set()).add(follower));
        signal.addEventListener("abort", aborted);
      }
      try {
        return await work();
      } finally {
        signal.removeEventListener("abort", aborted);
        leave(ticketId, follower);
      }
    },

    run: async (ticketId, work) => {
      const signal = new LazySignal();
      runs.set(ticketId, signal);
      try {
        return await work({
          signal,
          progress: (report) => {
            for (const { progress } of followers.get(ticketId) ?? []) progress?.(report);
          },
        });
      } finally {
        runs.delete(ticketId);
      }
    },
  };
}
