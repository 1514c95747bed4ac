import { parseEnv } from "node:util";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { withSettings } from "../../src/setup/env-text.ts";
import { anyText } from "../fixtures/any-text.ts";

const text = [
  "# mail",
  "IMAP_HOST=imap.example.org",
  "  export IMAP_USERNAME = 'me' # it is",
  "",
  "IMAP_HOST=twice.example.org",
  "IMAP_HOSTS=another",
  "",
].join("\n");

describe("settings in a user's file", () => {
  it("are changed in place, once, and all else stays", () => {
    expect(withSettings(text, { IMAP_HOST: "new.example.org", IMAP_USERNAME: "you" })).toBe(
      [
        "# mail",
        "IMAP_HOST=new.example.org",
        "IMAP_USERNAME=you",
        "",
        "IMAP_HOSTS=another",
        "",
      ].join("\n"),
    );
  });

  it("are added at the end if they are new, and removed if they are empty", () => {
    expect(withSettings("A=1", { B: "2" })).toBe("A=1\nB=2\n");
    expect(withSettings("A=1\nB=2\n", { A: "" })).toBe("B=2\n");
    expect(withSettings("", { A: "" })).toBe("");
  });

  it("are read back unchanged, or not written", () => {
    fc.assert(
      fc.property(anyText(), (value) => {
        const meant = value.trim();
        const written = withSettings(text, { NEW: meant });
        if (written === undefined) {
          // Node reads no value with all three quotes in it, with lines or with characters that it takes for the end.
          expect(/[\r\n]|(?=.*')(?=.*`)(?=.*")/s.test(meant)).toBe(true);
          return;
        }
        expect(parseEnv(written)).toEqual({ ...parseEnv(text), ...(meant && { NEW: meant }) });
      }),
      { numRuns: 2_000 },
    );
  });

  it("are not written into a multi-line value", () => {
    expect(withSettings('IMAP_HOST="a,\nb"\n', { IMAP_HOST: "c" })).toBeUndefined();
    expect(withSettings('NOTE="a\nIMAP_HOST=b\n"\n', { IMAP_HOST: "c" })).toBeUndefined();
  });
});
