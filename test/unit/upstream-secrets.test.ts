import { describe, expect, it } from "vitest";
import { secretHider } from "../../src/adapters/mcp-client/server-secrets.ts";

const mark = "[hidden: a secret of this server]";

function shownWith(env: Record<string, string>, text: string): string {
  return secretHider({ kind: "process", command: "x", args: [], directory: "/", env })(text);
}

describe("the secrets of an upstream server", () => {
  it.each([
    ["GITHUB_TOKEN", "ghp_41b7c9"],
    ["OPENAI_API_KEY", "sk-live-81"],
    ["PGPASSWORD", "correct horse"],
    ["BASIC_AUTH", "am86c2VjcmV0"],
  ])("are hidden if they are %s", (name, value) => {
    expect(shownWith({ [name]: value }, `failed: ${value}, ${value}`)).toBe(
      `failed: ${mark}, ${mark}`,
    );
  });

  it("are hidden if they are the password of an address", () => {
    const text = "cannot sign in with s3cret&word or s3cret%26word at db.example";
    expect(shownWith({ DATABASE_URL: "postgres://me:s3cret%26word@db.example/x" }, text)).toBe(
      `cannot sign in with ${mark} or ${mark} at db.example`,
    );
  });

  it("are hidden in a header, without its scheme", () => {
    const headers = { Authorization: "Bearer abcd1234.efgh", "X-Team": "garden club" };
    const hide = secretHider({ kind: "http", url: "https://notes.example/mcp", headers });
    expect(hide("Bearer abcd1234.efgh of garden club")).toBe(`Bearer ${mark} of garden club`);
  });

  it.each([
    ["KEY_FILE", "secret-key-1"],
    ["SSH_KEY", "/home/me/.ssh/id_ed25519"],
    ["AUTHOR", "Jane Smithson"],
    ["TOKEN", "short"],
    ["LANG", "en_GB.UTF-8"],
  ])("are not %s=%s", (name, value) => {
    expect(shownWith({ [name]: value }, `failed: ${value}`)).toBe(`failed: ${value}`);
  });
});
