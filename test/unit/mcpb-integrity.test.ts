import { expect, it } from "vitest";
import { checkIntegrity } from "../../src/app/build/mcpb.ts";

// SHA-512 of "driver".
const integrity =
  "sha512-SHg0ueW/OdAXt7XYZUy2S+r7vOXRb0f6860KdoRDp9wGNMlKsM92f7c0LAQEHRIkoOw6C+6xwdr3PPRxEhzY+A==";

it("accepts a driver with the hash of package-lock.json", () => {
  expect(() => checkIntegrity(Buffer.from("driver"), integrity, "@libsql/x@1.0.0")).not.toThrow();
});

it("refuses a driver that differs from package-lock.json", () => {
  expect(() => checkIntegrity(Buffer.from("Driver"), integrity, "@libsql/x@1.0.0")).toThrow(
    "@libsql/x@1.0.0 differs from package-lock.json. No bundle was written.",
  );
});
