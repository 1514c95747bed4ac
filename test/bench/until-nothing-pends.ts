import type { Stores } from "../../src/app/compose/open/open-stores.ts";

/** Resolves when no message waits to be worked on. Another process works, and tells nobody: its store is asked. */
export async function untilNothingPends({ mail }: Stores): Promise<void> {
  while ((await mail.search({ limit: 1 })).pending > 0)
    await new Promise((resolve) => setTimeout(resolve, 20));
}
