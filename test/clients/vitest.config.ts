import { defineConfig } from "vitest/config";

/** Real MCP clients: `npm run test:clients`. Not part of `npm test`, as it installs several gigabytes. */
export default defineConfig({
  test: {
    name: "clients",
    root: new URL("../../", import.meta.url).pathname,
    include: ["test/clients/**/*.test.ts"],
    globalSetup: [
      "test/servers/build.ts",
      "test/servers/typescript-child.ts",
      "test/servers/global-setup.ts",
    ],
    expect: { poll: { timeout: 25_000, interval: 50 } },
    fileParallelism: false,
    testTimeout: 240_000,
    hookTimeout: 900_000,
  },
});
