import type { Listing } from "../core/tool/catalog.ts";

/** What is listed now. One for all connections of a process. */
export interface ToolList {
  current(): readonly Listing[];
  /** Puts another list in its place, as a reloaded policy does. Clients are told only where it differs. */
  replace(listings: readonly Listing[]): void;
  /** The list is as it was, but who is offered what of it has changed. */
  changed(): void;
  /** `changed` is called after each change, until the returned function is. */
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
