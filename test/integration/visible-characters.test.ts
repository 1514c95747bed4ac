import { describe, expect, it } from "vitest";
import { visible } from "../../src/core/shared/text/visible.ts";

describe("a text that a person decides on [effect.visible]", () => {
  it("differs for different texts, for every character", () => {
    const shown = new Set<string>();
    for (let code = 0; code <= 0xffff; code += 1) shown.add(visible(String.fromCharCode(code)));
    expect(shown.size).toBe(0x1_0000);
  });

  it("never breaks a line, for every character", () => {
    const all = Array.from({ length: 0x30000 }, (_, code) => String.fromCodePoint(code));
    expect(visible(all.join(""))).not.toMatch(/[\n\r\v\f\u0085\u2028\u2029]/);
  });
});
