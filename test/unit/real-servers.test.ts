import { afterEach, describe, expect, it, vi } from "vitest";
import type { TestProject } from "vitest/node";
import setup from "../servers/global-setup.ts";
import { type RealServer, noticeOf } from "../servers/servers.ts";

const radicale: RealServer = { name: "radicale", program: "radicale", packages: ["radicale"] };
const dovecot: RealServer = {
  name: "dovecot",
  program: "/nowhere/imap",
  packages: ["dovecot-core"],
  unpack: ["dovecot-imapd"],
};

afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
});

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

  // Only the sentence was tested: what starts the tests could have ignored the variable, and CI have skipped them all.
  it("end the run before anything is started, where REQUIRE_SERVERS says so", async () => {
    // Of a user who is not root no machine has them all: what needs root counts as missing.
    vi.spyOn(process, "getuid").mockReturnValue(1_000);
    vi.stubEnv("REQUIRE_SERVERS", "1");
    const provide = vi.fn<TestProject["provide"]>();
    const project = { name: "integration", provide } as unknown as TestProject;
    await expect(setup(project)).rejects.toThrow(
      /^NOT RUN \(integration\): tests that need .*\bdovecot, postfix\b/,
    );
    expect(provide).not.toHaveBeenCalled();
  });

  it("are not spoken of where all are here", () => {
    expect(noticeOf("integration", [], true)).toBeUndefined();
  });
});
