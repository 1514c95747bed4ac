import { describe, expect, it } from "vitest";
import { headerLines } from "../../src/ingest/mime/headers.ts";
import { trustedResults } from "../../src/ingest/pipeline/trusted-results.ts";

const resultsIn = (...lines: string[]) =>
  trustedResults(
    headerLines(Buffer.from(`${lines.join("\r\n")}\r\nFrom: ann@example.com\r\n\r\nx`)),
    "mx.example.net",
    "ann@example.com",
  );

const results = (what: string) => `Authentication-Results: mx.example.net; ${what}`;

describe("Authentication-Results of the named server", () => {
  it("are read with comments, versions, quotes and folds", () => {
    expect(
      resultsIn(
        'Authentication-Results: "MX.Example.net" 1;\r\n spf=pass (sender (of; it) is known) smtp.mailfrom=example.com;',
        "\tdkim=fail header.d=list.org; dkim/1 = PASS header.d=example.com;",
        " dmarc=pass (p=reject dis=none) header.from=example.com",
      ),
    ).toEqual({ spf: "pass", dkim: "pass", dmarc: "pass", from: "aligned" });
  });

  it("without a result leave the author unverified", () => {
    expect(resultsIn(results("spf=softfail; dmarc=none"))).toMatchObject({ from: "unverified" });
    expect(resultsIn(results("none"))).toBeUndefined();
  });

  it("about another author prove nothing about this one", () => {
    expect(resultsIn(results("dmarc=pass header.from=other.org"))).toMatchObject({
      from: "unverified",
    });
  });

  it("match the author by the domain's DNS form", () => {
    const lines = headerLines(Buffer.from(results("dmarc=pass header.from=XN--bcher-kva.example")));
    expect(trustedResults(lines, "mx.example.net", "ann@bücher.example")).toEqual({
      dmarc: "pass",
      from: "aligned",
    });
  });

  it("of several programs of that server count together if they are above all others", () => {
    expect(
      resultsIn(
        results("dmarc=pass header.from=example.com"),
        results("dkim=pass"),
        "Received: by mx",
      ),
    ).toEqual({ dkim: "pass", dmarc: "pass", from: "aligned" });
  });

  it.each<[string, string[]]>([
    ["below results of the server", [results("dmarc=fail"), "Received: x", results("dmarc=pass")]],
    [
      "below results of the server without DMARC",
      ["Received: x", results("spf=none"), results("dmarc=pass")],
    ],
    [
      "below results of the server that checked nothing",
      [results("none"), "Received: x", results("dmarc=pass")],
    ],
    [
      "below results of the server that are too long",
      [results(`dkim=fail; ${"x=y; ".repeat(2_000)}`), "Received: x", results("dmarc=pass")],
    ],
    ["behind a comment", ["Authentication-Results: (x) mx.example.net; dmarc=pass"]],
    [
      "in a property of another name",
      [results("dmarc=pass x-header.from=example.com header.from=evil.example")],
    ],
    [
      "between quotation marks of the sender",
      [results('spf=pass smtp.mailfrom=a"b@evil.example; dmarc=fail; x="; dmarc=pass"')],
    ],
    ["behind a quotation mark without end", [results('dkim=fail reason="x; dmarc=pass')]],
    ["behind a comment without beginning", [results("spf=pass (x) y); dmarc=pass (z")]],
    [
      "in an unquoted envelope sender",
      [results("spf=pass smtp.mailfrom=a;dmarc=pass@evil.example")],
    ],
    ["beside another result in quotation marks", [results('dmarc=pass reason="; dmarc=fail"')]],
    ["beside results of the server", [results("dmarc=fail"), results("dmarc=pass")]],
  ])("are ignored if a sender writes them %s", (_, lines) => {
    expect(resultsIn(...lines)?.from).not.toBe("aligned");
  });

  // The server quotes what the sender claims, in quotes or a comment, before its own result.
  it.each([
    [
      "a quoted address",
      'spf=pass smtp.mailfrom="a; dmarc=pass header.from=example.com; b"@evil.org;',
    ],
    ["a quoted address with a backslash", 'spf=pass smtp.mailfrom="a\\"; dmarc=pass; b"@evil.org;'],
    ["a quoted selector", 'dkim=pass header.s="x;dmarc=pass";'],
    ["a comment", 'spf=pass (domain of "a); dmarc=pass (b"@evil.org is known) smtp.helo=x;'],
  ])("are ignored if a sender writes them into %s", (_, before) => {
    expect(resultsIn(results(`${before} dmarc=fail header.from=example.com`))).toMatchObject({
      dmarc: "fail",
      from: "failed",
    });
    expect(resultsIn(results(`${before} dmarc=none`))?.from).toBe("unverified");
  });

  it("do not concern an author who appears only in a quoted reason", () => {
    const reason = 'dmarc=pass reason="header.from=example.com" header.from=evil.org';
    expect(resultsIn(results(reason))?.from).toBe("unverified");
    expect(resultsIn(results('spf=pass smtp.helo=a"b; dmarc=fail'))?.from).toBe("failed");
  });

  it("are ignored from another host, even with a similar name", () => {
    for (const host of [
      "mx.example.net.evil.org",
      "evil-mx.example.net",
      "mx.example",
      "x (mx.example.net)",
    ])
      expect(resultsIn(`Authentication-Results: ${host}; dmarc=pass`)).toBeUndefined();
  });
});
