import { execFile } from "node:child_process";
import { platform } from "node:os";
import { isAbsolute, join } from "node:path";
import { promisify } from "node:util";
import { ToolError } from "../../core/tool/tool-error.ts";
import { environmentForOthers } from "../platform/settings.ts";
import { homeDirectory } from "../platform/this-user.ts";
import { type IngestService, launchAgent, serviceName, systemdUnit } from "./unit-text.ts";

export type ServiceKind = "systemd" | "launchd";

/** The program that runs services for one user on this machine. */
export interface ServiceManager {
  kind: ServiceKind;
  /** The path of the service's file. */
  file: string;
  text(service: IngestService, isSandboxed: boolean): string;
  /**
   * Starts the service of the file, now and at each login.
   * @throws ToolError
   */
  start(): Promise<void>;
  /** Resolves with true if the start failed because this machine forbids the sandbox. */
  failedInSandbox(): Promise<boolean>;
  /** Stops the service, also for later logins. Succeeds if it is not running. */
  stop(): Promise<void>;
  /** Removes the manager's record of the service. Call it after the file is removed. */
  forget(): Promise<void>;
  state(): Promise<{ isRunning: boolean; detail: string }>;
  /** False if the manager does not answer, as in most containers. */
  isReachable(): Promise<boolean>;
  /** Notes for a person after the installation. */
  hints: readonly string[];
}

const run = promisify(execFile);
const withinMs = 60_000;

/** Returns the manager of this machine, or undefined if none is known. */
export function managerHere(): ServiceManager | undefined {
  if (platform() === "darwin") return serviceManager("launchd");
  return platform() === "linux" ? serviceManager("systemd") : undefined;
}

export function serviceManager(kind: ServiceKind): ServiceManager {
  return kind === "systemd" ? systemd() : launchd();
}

function systemd(): ServiceManager {
  const unit = `${serviceName}.service`;
  const { XDG_CONFIG_HOME: xdg = "" } = environmentForOthers();
  const config = isAbsolute(xdg) ? xdg : join(homeDirectory(), ".config");
  const systemctl = (...args: string[]): Promise<string> => call("systemctl", ["--user", ...args]);
  const properties = async (): Promise<ReadonlyMap<string, string>> => {
    const names = "ActiveState,SubState,ExecMainStatus,NRestarts";
    const lines = (await systemctl("show", unit, `--property=${names}`)).trim().split("\n");
    return new Map(lines.map((line) => [line.split("=", 1)[0] ?? "", line.replace(/^\w+=/, "")]));
  };
  return {
    kind: "systemd",
    file: join(config, "systemd", "user", unit),
    text: systemdUnit,
    start: async () => {
      await systemctl("daemon-reload");
      await systemctl("enable", unit);
      await systemctl("restart", unit);
    },
    failedInSandbox: async () => {
      // systemd.exec(5), "Process exit codes": 226 is EXIT_NAMESPACE.
      const has = await properties().catch(() => undefined);
      return has?.get("ExecMainStatus") === "226";
    },
    stop: async () => {
      try {
        await systemctl("disable", "--now", unit);
      } catch (error) {
        // systemd also refuses to stop a unit whose file is invalid, although it does not run.
        const state = (await properties().catch(() => undefined))?.get("ActiveState") ?? "unknown";
        if (!["inactive", "failed"].includes(state)) throw error;
      }
    },
    forget: async () => void (await systemctl("daemon-reload")),
    state: async () => {
      const has = await properties();
      const [active, sub] = [has.get("ActiveState") ?? "unknown", has.get("SubState") ?? "unknown"];
      const detail = `${active} (${sub}), restarted ${has.get("NRestarts") ?? "0"} times`;
      return { isRunning: active === "active", detail };
    },
    isReachable: () => works(() => systemctl("show", "--property=Version")),
    hints: [
      "It runs while you are logged in. To run it from the start of this machine: loginctl enable-linger",
      `Its log: journalctl --user --unit ${serviceName}`,
    ],
  };
}

function launchd(): ServiceManager {
  const file = join(homeDirectory(), "Library", "LaunchAgents", `${serviceName}.plist`);
  const domain = `gui/${process.getuid?.() ?? 0}`;
  const target = `${domain}/${serviceName}`;
  const launchctl = (...args: string[]): Promise<string> => call("launchctl", args);
  const isLoaded = (): Promise<boolean> => works(() => launchctl("print", target));
  const stop = async (): Promise<void> => {
    if (await isLoaded()) await launchctl("bootout", target);
  };
  return {
    kind: "launchd",
    file,
    text: launchAgent,
    start: async () => {
      await stop();
      await launchctl("bootstrap", domain, file);
    },
    failedInSandbox: async () => false,
    stop,
    forget: async () => undefined,
    state: async () => {
      if (!(await isLoaded())) return { isRunning: false, detail: "not loaded" };
      const state = /^\s*state = (.+)$/m.exec(await launchctl("print", target))?.[1] ?? "unknown";
      return { isRunning: state === "running", detail: state };
    },
    isReachable: () => works(() => launchctl("print", domain)),
    hints: ["It runs while you are logged in. Its log is ingest.log in the data directory."],
  };
}

async function works(act: () => Promise<unknown>): Promise<boolean> {
  return await act().then(
    () => true,
    () => false,
  );
}

/**
 * Runs one of the manager's programs.
 * @throws ToolError with the program's first line, which a person at the terminal may see
 */
async function call(program: string, args: readonly string[]): Promise<string> {
  try {
    const { stdout } = await run(program, args, { env: environmentForOthers(), timeout: withinMs });
    return stdout;
  } catch (error) {
    const said = error instanceof Error && "stderr" in error ? String(error.stderr).trim() : "";
    const why =
      said === ""
        ? "it is not installed or did not answer"
        : said.split("\n").at(0)?.replace(/\.$/, "");
    throw new ToolError("unavailable", `${[program, ...args].join(" ")} failed: ${why}.`);
  }
}
