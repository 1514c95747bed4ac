import type { Listing } from "../core/tool/catalog.ts";

/** The current list, shared by all connections of a process. */
export interface ToolList {
  current(): readonly Listing[];
  /** Replaces the list, as after a policy reload. Clients are notified only if it differs. */
  replace(listings: readonly Listing[]): void;
  /** Notifies clients that the offers changed although the list did not. */
  changed(): void;
  /** Calls `changed` after each change, until the returned function is called. */
  subscribe(changed: () => void): () => void;
}

export function createToolList(initial: readonly Listing[]): ToolList {
  let listings = initial;
  const subscribers = new Set<() => void>();
  return {
    current: () => listings,
    replace: (next) => {
      const differs = JSON.stringify(next) !== JSON.stringify(listings);
      listings = next;
      if (differs) for (const changed of subscribers) changed();
    },
    changed: () => {
      for (const changed of subscribers) changed();
    },
    subscribe: (changed) => {
      subscribers.add(changed);
      return () => void subscribers.delete(changed);
    },
  };
}
