import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    projects: [
      // Generous: a busy machine is slow, and a test that hangs is still found.
      { test: { name: "unit", include: ["test/unit/**/*.test.ts"], testTimeout: 30_000 } },
      {
        test: {
          name: "contract",
          include: ["test/contract/**/*.test.ts"],
          globalSetup: ["test/servers/build.ts", "test/servers/global-setup.ts"],
          testTimeout: 30_000,
          hookTimeout: 60_000,
        },
      },
      {
        test: {
          name: "integration",
          include: ["test/integration/**/*.test.ts"],
          globalSetup: ["test/servers/build.ts", "test/servers/global-setup.ts"],
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
      {
        test: {
          name: "protocol",
          include: ["test/protocol/**/*.test.ts"],
          globalSetup: ["test/servers/build.ts", "test/servers/global-setup.ts"],
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
    ],
  },
});
