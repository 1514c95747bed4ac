import { expect, it } from "vitest";
import { ownServer } from "../../src/app/platform/own-command.ts";

it("starts with npx what npx started", () => {
  const program = "/home/me/.npm/_npx/a1b2/node_modules/countersign/dist/main.js";
  expect(ownServer({}, program, "linux")).toEqual({
    command: "npx",
    args: ["-y", "countersign", "serve"],
  });
  expect(ownServer({}, program, "win32")).toMatchObject({ command: "cmd" });
});

it("starts with full paths what was installed in another way, with its places and no secret", () => {
  const place = { envFile: "/etc/my.env", dataDir: "/data" };
  expect(ownServer(place, "/opt/countersign/dist/main.js", "linux")).toEqual({
    command: process.execPath,
    args: ["/opt/countersign/dist/main.js", "serve", "--env-file", "/etc/my.env"],
    env: { COUNTERSIGN_DATA_DIR: "/data" },
  });
});
