import { describe, expect, it } from "vitest";
import { type RealServer, noticeOf } from "../servers/servers.ts";

const radicale: RealServer = { name: "radicale", program: "radicale", packages: ["radicale"] };
const dovecot: RealServer = {
  name: "dovecot",
  program: "/nowhere/imap",
  packages: ["dovecot-core"],
  unpack: ["dovecot-imapd"],
};

describe("tests whose server is not here", () => {
  it("are named loudly, with the command that installs what they need", () => {
    const notice = noticeOf("integration", [radicale, dovecot], false);
    const [said, command] = notice?.split("\n  ") ?? [];
    expect(said).toBe("NOT RUN (integration): tests that need radicale, dovecot. Install with:");
    expect(command).toMatch(
      /^apt-get install -y --no-install-recommends radicale dovecot-core && /,
    );
    expect(command).toContain("apt-get download dovecot-imapd");
  });

  it("are a failure where nothing may be missing", () => {
    expect(() => noticeOf("integration", [radicale], true)).toThrow(
      "NOT RUN (integration): tests that need radicale.",
    );
  });

  it("are not spoken of where all are here", () => {
    expect(noticeOf("integration", [], true)).toBeUndefined();
  });
});
