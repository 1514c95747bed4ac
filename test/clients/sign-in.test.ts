import { join } from "node:path";
import { expect, it } from "vitest";
import { runsOf } from "../protocol/home.ts";
import { install, newerNode } from "./packages.ts";
import { plainOf, runLibrary } from "./programs.ts";
import { newSignInWorld } from "./sign-in.ts";

it("mcp-remote signs in over HTTPS, and the approved call runs once", async (t) => {
  const world = await newSignInWorld(t);
  const program = join(install("mcp-remote"), "node_modules", ".bin", "mcp-remote");
  const args = [program, world.server.url ?? "", "--transport", "http-only"];
  const server = { command: join(newerNode(), "node"), args, url: undefined };
  const ran = await runLibrary(
    { ...world, server, env: { NODE_EXTRA_CA_CERTS: world.cert }, watch: world.person() },
    "python-mcp",
    "py",
  );
  const { plain } = plainOf(ran);
  expect(plain?.results, ran.stderr).toHaveLength(world.calls.length);
  const [pending = ""] =
    plain?.results.filter((text) => text.startsWith("approval_required")) ?? [];
  expect(pending).toContain(new URL(world.server.url ?? "").origin);
  expect(await runsOf(world.home, "delete_file")).toBe(1);
});
