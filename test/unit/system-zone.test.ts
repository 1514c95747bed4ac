import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, vi } from "vitest";
import { zoneOfEnvironment } from "../../src/app/platform/settings.ts";
import { ianaZone, machineZone } from "../../src/core/shared/time-zone.ts";
import { temporaryDirectory } from "../fakes/temporary-directory.ts";

describe("the system's time zone", () => {
  it("is found in each form that systems use", () => {
    const dir = temporaryDirectory();
    const zone = join(dir, "zoneinfo", "Europe", "Berlin");
    mkdirSync(join(zone, ".."), { recursive: true });
    writeFileSync(zone, "");
    const local = join(dir, "localtime");
    symlinkSync(zone, local);
    for (const value of ["Europe/Berlin", ":Europe/Berlin", local, `:${local}`, zone])
      expect(zoneOfEnvironment(value)).toBe("Europe/Berlin");
    for (const value of ["Mars/Olympus", "CET-1CEST", "/nowhere/localtime", ":"])
      expect(zoneOfEnvironment(value)).toBeUndefined();
  });

  // Intl has no name for such a zone: each call about times ended with an internal error.
  it("is UTC if Intl has no name for it", (t) => {
    t.onTestFinished(() => void vi.unstubAllEnvs());
    for (const value of ["Mars/Olympus", ":/etc/localtime"]) {
      vi.stubEnv("TZ", value);
      expect(machineZone()).toBe("UTC");
      expect(ianaZone(machineZone())?.name).toBe("UTC");
    }
  });
});
