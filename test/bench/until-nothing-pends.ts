import type { Stores } from "../../src/app/compose/open/open-stores.ts";

/** Resolves when no message waits for processing. Polls the store, because another process does the work. */
export async function untilNothingPends({ mail }: Stores): Promise<void> {
  while ((await mail.search({ limit: 1 })).pending > 0)
    await new Promise((resolve) => setTimeout(resolve, 20));
}
