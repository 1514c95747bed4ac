import { describe, expect, it } from "vitest";
import { parseSettings } from "../../src/config.ts";
import { ConfigError } from "../../src/config/config-error.ts";

function problemsOf(env: Record<string, string>): readonly string[] {
  try {
    parseSettings(env, "/data");
    return [];
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return error.problems.map(({ setting, problem }) => `${setting} ${problem}`);
  }
}

describe("the secrets of callers and approvers", () => {
  it("have at least 16 characters, whatever the characters are", () => {
    for (const sign of ["a", "é", "字", "😀", "👩‍👩‍👧‍👦", "e\u0301"])
      for (let length = 1; length <= 20; length += 1)
        for (const setting of ["APPROVERS", "HTTP_TOKENS"]) {
          const problems = problemsOf({ [setting]: `a:${sign.repeat(length)}` });
          expect(problems, `${setting} ${length} ${sign}`).toHaveLength(length < 16 ? 1 : 0);
        }
  });

  it.each([
    "😀1234567890123",
    "👩‍👩‍👧‍👦abcdefgh",
    "é̂̃abcdefghijklm",
    "abcdefgh\u200B\u200B\u200B\u200B\u00AD\u{E0041}xy",
  ])("count no invisible part of a character: %j", (given) => {
    expect(problemsOf({ APPROVERS: `a:${given}` })).toEqual([
      expect.stringMatching(/^APPROVERS needs a secret of at least 16 characters for "a"$/),
    ]);
  });
});
