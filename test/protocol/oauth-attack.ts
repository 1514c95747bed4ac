import { expect } from "vitest";
import type { Home } from "./home.ts";
import { type Flow, callback } from "./oauth-flow.ts";
import { origin } from "./oauth-host.ts";

export interface World {
  flow: Flow;
  home: Home;
  /** The server's own address, for pages that check the public host name. */
  mcpUrl: string;
}

export interface Attack {
  attack: string;
  /** The section of RFC 9700, or of another standard. */
  from: string;
  fails: (world: World) => Promise<void>;
}

/** Expects an error page: the browser goes nowhere. */
export async function staysHere(
  flow: Flow,
  params: Record<string, string | undefined>,
  metadata = {},
) {
  const { status, location } = await flow.authorize(await flow.client(metadata), params);
  expect([status, location], JSON.stringify(params)).toEqual([400, ""]);
}

/** Expects an error that is sent to the host's own address, with our name in it. */
export async function errorAtHost(flow: Flow, params: Record<string, string | undefined>) {
  const { location } = await flow.authorize(await flow.client(), params);
  const { origin: at, pathname, searchParams } = new URL(location, origin);
  expect(at + pathname, location).toBe(callback);
  expect(searchParams.get("iss")).toBe(origin);
  return searchParams.get("error");
}

export async function grants(home: Home): Promise<number> {
  return (await home.sql("SELECT 1 FROM oauth_records WHERE model = 'Grant'")).length;
}
