import { resolve } from "node:path";
import { expect, it } from "vitest";
import { bundledPackages, notices } from "../../src/app/build/third-party.ts";

const root = resolve(import.meta.dirname, "../..");

it("the notice of licences names each package once, with its version and its text", () => {
  const packages = bundledPackages([
    "src/main.ts",
    "node_modules/zod/v4/core/index.js",
    "node_modules/zod/v4/index.js",
    "node_modules/@hono/node-server/dist/index.mjs",
  ]);
  expect(packages).toEqual(["node_modules/@hono/node-server", "node_modules/zod"]);
  const text = notices(root, packages);
  expect(text).toMatch(/^zod \d+\.\d+\.\d+ \(MIT\)\n\nMIT License\n/m);
  expect(text.match(/^@hono\/node-server /gm)).toHaveLength(1);
});
