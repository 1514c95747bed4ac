import { join } from "node:path";
import { expect, it } from "vitest";
import { runsOf } from "../protocol/home.ts";
import { install, newerNode } from "./packages.ts";
import { plainOf, runLibrary } from "./programs.ts";
import { resultsIn } from "./seen.ts";
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

it("Codex signs in over HTTPS, and the approved call runs once", async (t) => {
  const world = await newSignInWorld(t);
  const codex = join(install("codex"), "node_modules", ".bin", "codex");
  world.put(
    ".codex/config.toml",
    [
      'model = "stub-model"',
      'model_provider = "stub"',
      'mcp_oauth_credentials_store = "file"',
      "",
      "[model_providers.stub]",
      'name = "stub"',
      `base_url = "${world.model.url}/v1"`,
      'wire_api = "responses"',
      'env_key = "STUB_KEY"',
      "supports_websockets = false",
      "",
      "[mcp_servers.countersign]",
      `url = "${world.server.url}"`,
      'default_tools_approval_mode = "approve"',
      "",
    ].join("\n"),
  );
  const env = { STUB_KEY: "x", SSL_CERT_FILE: world.cert, CODEX_CA_CERTIFICATE: world.cert };
  const login = await world.run(codex, ["mcp", "login", "countersign"], env, world.person());
  expect(login.code, login.stdout + login.stderr).toBe(0);
  const args = ["exec", "--skip-git-repo-check", "--json", "Tidy my files"];
  const ran = await world.run(codex, args, env);
  const seen = resultsIn(world.model.requests.at(-1) ?? {});
  expect(seen, ran.stdout + ran.stderr).toHaveLength(world.calls.length);
  expect(await runsOf(world.home, "delete_file")).toBe(1);
});
