import { spawn } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { killChild } from "../servers/child.ts";
import { writeSettings } from "../servers/env-file.ts";
import { type Home, newHome, newestTicket, operatorSecret } from "../protocol/home.ts";
import { startHttp, tokens } from "../protocol/http-server.ts";
import { program, runProgram } from "../protocol/program.ts";
import { nodeServer, review, writeServers } from "../protocol/upstream-home.ts";
import { newerNode } from "./packages.ts";
import { type Call, type Verdict, callsFor, mails, sentence } from "./scenario.ts";
import { type ScriptedModel, type Step, startModel } from "./model.ts";
import { recorded } from "./recorder.ts";

export const transports = ["stdio", "HTTP"] as const;
export type Transport = (typeof transports)[number];

/** Passes everything on to the built program, and writes it down. */
const tap = fileURLToPath(new URL("tap.mjs", import.meta.url));

export interface World {
  home: Home;
  /** The home directory of the person whose client it is. */
  user: string;
  work: string;
  data: string;
  model: ScriptedModel;
  transport: Transport;
  /** How to start the server, or where it is. */
  server: { command: string; args: readonly string[]; url: string | undefined };
  token: string;
  calls: readonly Call[];
  decide: (verdict: Verdict) => Promise<void>;
  /** Everything that passed between client and server. */
  rpc: () => string;
  /** Writes a file of the client below the home directory of the person. */
  put: (file: string, text: string) => void;
  /** Adds the server to a client with the command of the product. @param signInAt the URL of a server that it signs in to */
  connect: (client: string, signInAt?: string) => Promise<void>;
  /** `watch` gets everything that was printed until now. */
  run: (
    command: string,
    args: readonly string[],
    env?: Record<string, string>,
    watch?: (said: string) => void,
  ) => Promise<Ran>;
}

export interface Ran {
  code: number | null;
  stdout: string;
  stderr: string;
}

/** How long a client may take. Milliseconds. */
const runWithin = 120_000;

export async function newWorld(
  t: { onTestFinished(cleanUp: () => unknown): void },
  transport: Transport,
): Promise<World> {
  const home = newHome(t);
  const data = home.dir;
  const [user, work] = [join(data, "person"), join(data, "work")];
  for (const directory of [user, work]) mkdirSync(directory, { mode: 0o700 });
  // The place of this directory's settings for every process, however the client starts it.
  writeSettings(data, {
    ...home.env,
    INGEST_DNS: "off",
    APPROVAL_OPEN: "never",
    HTTP_TOKENS: `alice:${tokens.alice}`,
    // The tools of the upstream server are found and called by name.
    TOOL_LIST_TOKENS: "0",
  });
  const here: Home = { ...home, env: { COUNTERSIGN_DATA_DIR: data } };
  writeServers(here, { notes: nodeServer("notes-server.mjs") });
  const { code, stderr } = await review(here, "notes");
  if (code !== 0) throw new Error(stderr);
  const files = Object.entries(mails).map(([name, text]) => {
    writeFileSync(join(data, name), text);
    return join(data, name);
  });
  const imported = await runProgram(here, ["import", ...files]);
  if (imported.code !== 0) throw new Error(imported.stderr);
  const listed = await runProgram(here, ["mail", "list"]);
  const calls = callsFor(/^(\w+) .*helpdesk/m.exec(listed.stdout)?.[1] ?? "");
  const log = join(data, "rpc.log");
  let url: string | undefined;
  if (transport === "HTTP") {
    const proxy = await recorded(await startHttp(here).url, log);
    home.later(proxy.close);
    url = proxy.url;
  }
  const decide = async (verdict: Verdict): Promise<void> => {
    const more = verdict === "deny" ? ["--note", sentence] : [];
    const id = await newestTicket(here);
    const { code, stderr } = await runProgram(
      here,
      ["approvals", verdict, id, ...more, "--secret-stdin"],
      { input: `${operatorSecret}\n` },
    );
    if (code !== 0) throw new Error(stderr);
  };
  const steps = calls.map(({ call, args, given, decide: verdict }): Step => ({
    call,
    args,
    given,
    ...(verdict !== undefined && { before: () => decide(verdict) }),
  }));
  const model = await startModel([...steps, { text: "Finished." }], decide);
  home.later(model.close);
  const put = (file: string, text: string): void => {
    const path = join(user, file);
    mkdirSync(join(path, ".."), { recursive: true });
    writeFileSync(path, text);
  };
  const env = { HOME: user, COUNTERSIGN_DATA_DIR: data };
  return {
    home: here,
    user,
    work,
    data,
    model,
    transport,
    server: { command: process.execPath, args: [tap, "serve"], url },
    token: tokens.alice,
    calls,
    decide,
    rpc: () => (existsSync(log) ? readFileSync(log, "utf8") : ""),
    put,
    connect: async (client, signInAt) => {
      const remote = url === undefined ? [] : ["--http", url];
      const at = signInAt === undefined ? remote : ["--http", signInAt, "--sign-in"];
      const given = ["connect", client, "--yes", "--json", ...at];
      const { code, stdout, stderr } = await runProgram(here, given, { env });
      if (code !== 0) throw new Error(`${stdout}${stderr}`);
      const { file } = JSON.parse(stdout) as { file: string };
      writeFileSync(file, readFileSync(file, "utf8").replaceAll(program, tap));
    },
    run: (command, args, more = {}, watch = () => undefined) => {
      const path = `${newerNode()}:/usr/local/bin:/usr/bin:/bin`;
      const child = spawn(command, args, {
        cwd: work,
        env: { PATH: path, HOME: user, TERM: "dumb", LANG: "C.UTF-8", ...more },
        stdio: ["ignore", "pipe", "pipe"],
        timeout: runWithin,
        killSignal: "SIGKILL",
      });
      home.later(() => killChild(child));
      const ran: Ran = { code: null, stdout: "", stderr: "" };
      const keep = (stream: "stdout" | "stderr"): void => {
        child[stream].setEncoding("utf8").on("data", (text: string) => {
          ran[stream] += text;
          watch(ran[stream]);
        });
      };
      keep("stdout");
      keep("stderr");
      return new Promise((resolve, reject) => {
        child.once("error", reject);
        child.once("close", (code) => resolve({ ...ran, code }));
      });
    },
  };
}
