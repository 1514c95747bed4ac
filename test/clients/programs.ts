import { cpSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type Installed, install, newerNode } from "./packages.ts";
import type { Call } from "./scenario.ts";
import type { Ran, World } from "./world.ts";

/** The actions of a client of ours or of a library. */
export interface Outcome {
  ran: readonly Ran[];
  /** Results and tools of a program that has no model. Those of the others are in the requests to the model. */
  plain?: { tools: readonly string[]; results: readonly string[] };
}

/** Runs our program for a library. It is copied to where its packages are found. */
export async function runLibrary(
  world: World & { env?: Record<string, string>; watch?: (said: string) => void },
  id: Installed,
  ending: "mjs" | "py",
): Promise<Ran> {
  const directory = install(id);
  const file = join(directory, `program.${ending}`);
  const programs = fileURLToPath(new URL("programs/", import.meta.url));
  cpSync(join(programs, `${id}.${ending}`), file);
  if (ending === "mjs") cpSync(join(programs, "sign-in.mjs"), join(directory, "sign-in.mjs"));
  const command =
    ending === "py" ? join(directory, "venv", "bin", "python") : join(newerNode(), "node");
  const env = { ...environmentOf(world), ...world.env };
  return await world.run(command, [file], env, world.watch);
}

function environmentOf({ server, model, token, data, calls }: World): Record<string, string> {
  return {
    MODEL_URL: model.url,
    DECIDE_URL: `${model.url}/decide/`,
    STEPS: JSON.stringify(withoutModel(calls)),
    COMMAND: server.command,
    ARGS: JSON.stringify(server.args),
    COUNTERSIGN_DATA_DIR: data,
    TOKEN: token,
    ...(server.url !== undefined && { SERVER_URL: server.url }),
  };
}

/** Returns the calls that a program makes without a model, which would read an earlier result. */
function withoutModel(calls: readonly Call[]): readonly Call[] {
  return calls.filter(({ given }) => given === undefined);
}

/** Returns the calls of a run that has ended. */
export function callsMade({ calls }: World, { plain }: Outcome): readonly Call[] {
  return plain === undefined ? calls : withoutModel(calls);
}

interface Line {
  tools?: string[];
  text?: string;
  structured?: unknown;
}

/** Reads the lines of a program that prints what it got. */
export function plainOf(ran: Ran): Outcome {
  const lines = ran.stdout
    .split("\n")
    .filter((line) => line.startsWith("{"))
    .map((line) => JSON.parse(line) as Line);
  const results = lines
    .filter(({ text }) => text !== undefined)
    .map(({ text, structured }) => `${text}${structured ? JSON.stringify(structured) : ""}`);
  return { ran: [ran], plain: { tools: lines.flatMap(({ tools = [] }) => tools), results } };
}

/** Creates a command line that makes one call per start. */
export async function eachCall(
  world: World,
  list: () => Promise<Ran>,
  call: (name: string, args: Record<string, unknown>) => Promise<Ran>,
): Promise<Outcome> {
  const listed = await list();
  const tools = [...listed.stdout.matchAll(/"name":\s*"(\w+)"/g)].map(([, name = ""]) => name);
  const ran = [listed];
  for (const { call: name, args, decide } of withoutModel(world.calls)) {
    if (decide !== undefined) await world.decide(decide);
    ran.push(await call(name, args));
  }
  const results = ran.slice(1).map(({ stdout, stderr }) => `${stdout}${stderr}`);
  return { ran, plain: { tools, results } };
}
