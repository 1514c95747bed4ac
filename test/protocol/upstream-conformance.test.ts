import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type ClientScenarios, startClientScenarios } from "../conformance/run-suite.ts";
import { startUpstreamClient } from "../conformance/upstream-client.ts";
import { findSuite } from "../servers/conformance.ts";
import { type Home, newHome } from "./home.ts";

const suite = findSuite();
const driver = fileURLToPath(new URL("../conformance/upstream-driver.mjs", import.meta.url));

// Scenarios that do not apply. Questions of a server are refused (elicitation-sep1034-client-defaults,
// sep-2322-client-request-state). Its client would have to echo a schema (json-schema-2020-12-preservation).
// A person signs in again (auth/authorization-server-migration, auth/scope-step-up).
const scenarios = [
  "initialize",
  "tools_call",
  "sse-retry",
  "request-metadata",
  "http-standard-headers",
  "http-custom-headers",
  "http-invalid-tool-headers",
  "json-schema-ref-no-deref",
  "auth/metadata-default",
  "auth/metadata-var1",
  "auth/metadata-var2",
  "auth/metadata-var3",
  "auth/scope-from-www-authenticate",
  "auth/scope-from-scopes-supported",
  "auth/scope-omitted-when-undefined",
  "auth/token-endpoint-auth-basic",
  "auth/token-endpoint-auth-post",
  "auth/token-endpoint-auth-none",
  "auth/resource-mismatch",
  "auth/offline-access-scope",
  "auth/offline-access-not-supported",
  "auth/iss-supported",
  "auth/iss-not-advertised",
  "auth/iss-supported-missing",
  "auth/iss-wrong-issuer",
  "auth/iss-unexpected",
  "auth/iss-normalized",
  "auth/metadata-issuer-mismatch",
  "auth/scope-retry-limit",
  "auth/basic-cimd",
  "auth/pre-registration",
];

/** The suite calls with null for a boolean, which the reviewed schema refuses before anything is sent. */
const notSent = new Set(["sep-2243-client-omit-null"]);

describe.skipIf(suite === undefined)("the official suite against the upstream client", () => {
  /** Gives a scenario the home that its test makes. The scenario waits for it. */
  const giveHome = new Map<string, (home: Home) => void>();
  const homes = new Map(
    scenarios.map((name) => [name, new Promise<Home>((give) => giveHome.set(name, give))]),
  );
  let client: Awaited<ReturnType<typeof startUpstreamClient>>;
  let running: ClientScenarios;

  beforeAll(async () => {
    client = await startUpstreamClient((scenario) => homes.get(scenario));
    const command = `${process.execPath} ${driver} ${client.address}`;
    if (suite !== undefined) running = startClientScenarios(suite, command);
  });

  afterAll(async () => {
    await running.stop();
    client.close();
  });

  it.concurrent.for(scenarios)("passes %s", { timeout: 120_000 }, async (scenario, t) => {
    giveHome.get(scenario)?.(newHome(t, { APPROVAL_OPEN: "off" }));
    const { passed, failed } = await running.result(scenario);
    expect(failed.filter((id) => !notSent.has(id))).toEqual([]);
    expect(passed).toBeGreaterThan(0);
  });
});
