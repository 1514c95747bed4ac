import { mkdirSync, readFileSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, vi } from "vitest";
import { type Home, newHome } from "./home.ts";

/** Creates a home whose servers "open the browser" by keeping a copy of the file that they should open. */
export function homeWithBrowser(t: TestContext, env: Record<string, string> = {}): Home {
  const home = newHome(t, env);
  mkdirSync(openedIn(home));
  if (env["APPROVAL_OPEN"] === undefined)
    home.env["APPROVAL_OPEN"] = `cp --backup=numbered -t "${openedIn(home)}"`;
  return home;
}

const openedIn = (home: Home): string => join(home.dir, "opened");

/** Returns how often a browser was opened. */
export function timesOpened(home: Home): number {
  return readdirSync(openedIn(home)).length;
}

/** Returns the file that leads to the page, and the address in it. */
export function redirectOf(home: Home): { mode: number; address: string } {
  const path = join(home.dir, "approvals.html");
  const address = /url=(http:[^"]+)"/.exec(readFileSync(path, "utf8"))?.[1];
  if (address === undefined) throw new Error("the file leads nowhere");
  return { mode: statSync(path).mode & 0o777, address };
}

/** The value of a button: `again` is a denial after which the assistant may ask again. */
type Verdict = "approve" | "deny" | "again";

export interface OpenedPage {
  /** The address of the page, secret and all. */
  address: string;
  list(): Promise<string>;
  history(): Promise<string>;
  /** Presses a button on the request's card, and gives what is shown then. */
  decide(ticketId: string, verdict: Verdict, note?: string): Promise<string>;
  /** Loads the page now. Returns a function that presses a button on it later, when the request may have changed. */
  load(ticketId: string): Promise<(verdict: Verdict, note?: string) => Promise<string>>;
  pressPause(): Promise<void>;
  /** Resets the limits. */
  pressGoOn(): Promise<void>;
}

/** Does what a person does when the browser opens, in plain HTTP. */
export async function openPage(home: Home): Promise<OpenedPage> {
  await vi.waitFor(() => redirectOf(home), 30_000);
  return await enter(redirectOf(home).address);
}

export async function enter(entry: string): Promise<OpenedPage> {
  const { origin } = new URL(entry);
  const post = async (url: string, fields: Record<string, string>): Promise<Response> =>
    await fetch(url, {
      method: "POST",
      headers: { origin },
      body: new URLSearchParams(fields),
      redirect: "manual",
    });
  const location = (response: Response): string => {
    const path = response.headers.get("location");
    if (response.status !== 303 || path === null)
      throw new Error(`the page said ${response.status}`);
    return `${origin}${path}`;
  };
  const read = async (url: string): Promise<string> => await (await fetch(url)).text();
  const nonceAfter = (html: string, mark: string): string =>
    /name="nonce"\s+value="([^"]+)"/.exec(html.split(mark)[1] ?? "")?.[1] ?? "";

  const address = location(await post(entry, {}));
  const load: OpenedPage["load"] = async (request) => {
    const nonce = nonceAfter(await read(address), `id="${request}"`);
    return async (verdict, note = "") =>
      await read(location(await post(`${address}/decide`, { request, nonce, verdict, note })));
  };
  return {
    address,
    list: () => read(address),
    history: () => read(`${address}/history`),
    load,
    decide: async (ticketId, verdict, note) => await (await load(ticketId))(verdict, note),
    pressPause: async () => {
      const html = await read(address);
      const nonce = nonceAfter(html, '/pause"');
      const button = html.includes('value="resume"') ? "resume" : "pause";
      location(await post(`${address}/pause`, { nonce, do: button }));
    },
    pressGoOn: async () => {
      const [before = ""] = (await read(address)).split('value="go-on"');
      const form = before.slice(before.lastIndexOf("<form"));
      const scope = /name="scope"\s+value="([^"]+)"/.exec(form)?.[1] ?? "";
      const nonce = nonceAfter(`form${form}`, "form<form");
      location(await post(`${address}/pause`, { nonce, scope, do: "go-on" }));
    },
  };
}
