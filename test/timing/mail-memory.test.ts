import { afterAll, describe, expect, it } from "vitest";
import { createParser } from "../../src/ingest/mime/parser.ts";
import { measureMemory } from "../bench/mail-memory.ts";
import { temporaryDirectory } from "../fakes/temporary-directory.ts";
import { pdfOf } from "../fixtures/documents.ts";
import { unpackingPdfs } from "../fixtures/hostile-documents.ts";

// The unpacked content of a PDF is outside of a thread's heap, so its limit did not count: a file of 2.4 kB took 2.7
// GB.
describe("a PDF that unpacks to gigabytes", () => {
  const parser = createParser({ threads: 1 });
  afterAll(() => parser.close());
  const textOf = async (content: Uint8Array) => {
    const file = [{ content, mediaType: "application/pdf" }];
    for await (const text of parser.attachmentTexts(file))
      return Buffer.from(text ?? "").toString();
    return undefined;
  };

  it.each(Object.entries(unpackingPdfs))(
    "takes at most 500 MB by %s, and the next file is read",
    async (_by, make) => {
      const content = make();
      const before = process.resourceUsage().maxRSS;
      await textOf(content);
      expect((process.resourceUsage().maxRSS - before) / 1_024).toBeLessThan(500);
      expect(await textOf(pdfOf("next"))).toContain("next");
    },
    120_000,
  );
});

it.skipIf(process.platform !== "linux")(
  "takes at most 300 MB of memory while a message of the greatest size passes, whatever is in it",
  async () => {
    for (const { what, peak } of await measureMemory(temporaryDirectory()))
      expect(peak, what).toBeLessThan(300);
  },
  240_000,
);
