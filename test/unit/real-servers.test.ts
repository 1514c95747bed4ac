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

describe("tests without their server", () => {
  it("are reported, with the command that installs the server", () => {
    const notice = noticeOf("integration", [radicale, dovecot], false);
    const [said, command] = notice?.split("\n  ") ?? [];
    expect(said).toBe("NOT RUN (integration): tests that need radicale, dovecot. Install with:");
    expect(command).toMatch(
      /^apt-get install -y --no-install-recommends radicale dovecot-core && /,
    );
    expect(command).toContain("apt-get download dovecot-imapd");
  });

  it("are a failure if no server may be missing", () => {
    expect(() => noticeOf("integration", [radicale], true)).toThrow(
      "NOT RUN (integration): tests that need radicale.",
    );
  });

  // Only the sentence was tested: what starts the tests could have ignored the variable, and CI have skipped them all.
  it("end the run before the start if REQUIRE_SERVERS is set", async () => {
    // Servers that need root count as missing for other users, on every machine.
    vi.spyOn(process, "getuid").mockReturnValue(1_000);
    vi.stubEnv("REQUIRE_SERVERS", "1");
    const provide = vi.fn<TestProject["provide"]>();
    const project = { name: "integration", provide } as unknown as TestProject;
    await expect(setup(project)).rejects.toThrow(
      /^NOT RUN \(integration\): tests that need .*\bdovecot, postfix\b/,
    );
    expect(provide).not.toHaveBeenCalled();
  });

  it("are not mentioned if all servers are installed", () => {
    expect(noticeOf("integration", [], true)).toBeUndefined();
  });
});
