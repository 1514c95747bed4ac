import type { TestContext } from "vitest";
import { startTavily, tavilyKey } from "../servers/tavily.ts";
import { connect } from "./clients.ts";
import { type Home, newHome } from "./home.ts";
import { startHttp } from "./http-server.ts";

/** Makes a home whose searches go to a local service. */
export async function homeWithSearch(t: TestContext): Promise<Home> {
  const tavily = await startTavily();
  const home = newHome(t, { TAVILY_API_KEY: tavilyKey, TAVILY_BASE_URL: tavily.url });
  home.later(() => tavily.close());
  return home;
}

/** Starts two processes on one home, and a client of the same caller for each. */
export async function startTwo(home: Home) {
  const servers = [startHttp(home), startHttp(home)] as const;
  const [reader, other] = await Promise.all([
    connect(home, "v2 legacy", { over: "HTTP", at: servers[0] }),
    connect(home, "v2 legacy", { over: "HTTP", at: servers[1] }),
  ]);
  return { servers, reader, other };
}
