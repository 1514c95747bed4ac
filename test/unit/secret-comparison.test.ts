import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { isSame } from "../../src/channels/page/access.ts";
import { approverOf } from "../../src/channels/terminal.ts";
import { Secret } from "../../src/core/shared/secret.ts";

const root = fileURLToPath(new URL("../../src/", import.meta.url));

/** Two settings of the same owner are compared at the start, before any request can arrive. */
const settingsOnly = new Set(["config/cross-check.ts"]);

describe("a secret", () => {
  it("is never compared by an operator, whose time depends on the guess", () => {
    const compared = readdirSync(root, { recursive: true, encoding: "utf8" })
      .filter((path) => path.endsWith(".ts") && !settingsOnly.has(path))
      .filter((path) =>
        /[!=]==\s*[\w.?]+\.reveal\(\)|\.reveal\(\)\s*[!=]==|\.reveal\(\)\.(?:startsWith|includes|localeCompare)/.test(
          readFileSync(join(root, path), "utf8"),
        ),
      );
    expect(compared).toEqual([]);
  });

  it("is found only whole: no beginning, extension or other length of it", () => {
    const secret = "correct-horse-battery-staple";
    const approvers = [
      { name: "ann", secret: new Secret(secret) },
      { name: "bob", secret: new Secret(`${secret}-2`) },
    ];
    expect(approverOf(secret, approvers)).toBe("ann");
    for (const wrong of [
      "",
      secret.slice(0, -1),
      `${secret}\0`,
      `${secret} `,
      secret.toUpperCase(),
    ]) {
      expect(approverOf(wrong, approvers)).toBeUndefined();
      expect(isSame(wrong, secret)).toBe(false);
    }
  });
});
