import { expect, it } from "vitest";
import { measureMemory } from "../bench/mail-memory.ts";
import { temporaryDirectory } from "../fakes/temporary-directory.ts";

it.skipIf(process.platform !== "linux")(
  "takes at most 300 MB of memory while a message of the greatest size passes, whatever is in it",
  async () => {
    for (const { what, peak } of await measureMemory(temporaryDirectory()))
      expect(peak, what).toBeLessThan(300);
  },
  240_000,
);
