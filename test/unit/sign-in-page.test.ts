import { describe, expect, it } from "vitest";
import { isSafePage, isSameSite } from "../../src/adapters/mcp-client/sign-in/sign-in-page.ts";

describe("a sign-in page", () => {
  const server = new URL("http://notes.lan:8080/mcp");

  it.each(["https://accounts.example.com/a", "http://notes.lan:8080/authorize"])(
    "is shown with TLS or at the configured server: %s",
    (page) => expect(isSafePage(new URL(page), server)).toBe(true),
  );

  it.each([
    "http://accounts.example.com/a",
    "http://notes.lan:9090/authorize",
    "ftp://notes.lan:8080/authorize",
    "file:///etc/passwd",
    "javascript:alert(1)",
  ])("is not shown otherwise: %s", (page) => expect(isSafePage(new URL(page), server)).toBe(false));
});

describe("the site of a sign-in page and of the token", () => {
  it.each([
    ["https://mcp.example.com/a", "https://auth.example.com/t", true],
    ["https://a.bank.co.uk/a", "https://b.bank.co.uk/t", true],
    ["http://127.0.0.1:1/a", "http://127.0.0.1:2/t", true],
    ["https://example.com/a", "https://example.org/t", false],
    ["https://bank.co.uk/a", "https://thief.co.uk/t", false],
    ["https://127.0.0.1/a", "https://126.0.0.1/t", false],
    ["https://[::1]/a", "https://[::2]/t", false],
  ])("is the same or not for %s and %s: %s", (page, token, isSame) =>
    expect(isSameSite(new URL(page), new URL(token))).toBe(isSame),
  );
});
