import { expect, it } from "vitest";
import { databaseError } from "../../src/adapters/libsql/driver/errors.ts";

it.each(["MODULE_NOT_FOUND", "ERR_DLOPEN_FAILED"])(
  "a missing driver is named as such: %s",
  (code) => {
    // The message told people to check the directory of a database that was well.
    const failure = { code, text: "Cannot find module '@libsql/linux-x64-musl'" };
    const { message, hint } = databaseError({ ...failure, phase: "open" }, "countersign.db", false);
    expect([message, hint]).toEqual([
      "The database countersign.db was not opened, because this installation lacks the driver for this system. Nothing was changed.",
      "Install Countersign again on this machine, with optional dependencies.",
    ]);
  },
);
