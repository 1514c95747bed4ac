import { beforeAll, describe, it } from "vitest";
import { newSuiteHome } from "./home.ts";
import { attacksOnRequests } from "./oauth-attacks-on-requests.ts";
import { attacksOnTokens } from "./oauth-attacks-on-tokens.ts";
import { createFlow } from "./oauth-flow.ts";
import { type Send, startSignIn } from "./oauth-host.ts";

describe("an attack on the sign-in fails", () => {
  // Inside `beforeAll` it would be too late for a clean-up after the suite.
  const home = newSuiteHome();
  let send: Send;
  let mcpUrl: string;
  beforeAll(async () => {
    const started = await startSignIn(home);
    send = started.send;
    mcpUrl = await started.at.url;
  });

  const rows = [...attacksOnRequests, ...attacksOnTokens].map(
    ({ attack, from, fails }) => [attack, from, fails] as const,
  );
  it.for(rows)("%s (%s)", async ([, , fails]) => {
    await fails({ flow: createFlow(send), home, mcpUrl });
  });
});
