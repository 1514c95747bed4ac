import { createRequire } from "node:module";
import { platform } from "node:os";
import { expect, it, vi } from "vitest";
import type * as driver from "../../src/adapters/libsql/driver/libsql-driver.ts";

const require = createRequire(import.meta.url);
/** Another copy of the module than the one that other tests have loaded. */
const file = "../../src/adapters/libsql/driver/libsql-driver.ts?again";

it.runIf(platform() === "linux")(
  "loads without a report of the process, which asks DNS for the names of connected addresses",
  async (t) => {
    delete require.cache[require.resolve("libsql")];
    const report = vi.spyOn(process.report, "getReport");
    t.onTestFinished(() => report.mockRestore());
    const { openHandle } = (await import(file)) as typeof driver;
    const handle = openHandle(":memory:", 0);
    expect(handle.prepare("SELECT 1 AS one").get()).toMatchObject({ one: 1 });
    handle.close();
    expect(report).not.toHaveBeenCalled();
    process.report.getReport();
    expect(report).toHaveBeenCalledOnce();
  },
);
