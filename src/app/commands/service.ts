import { ToolError } from "../../core/tool/tool-error.ts";
import { defineCommand, form } from "../command-line/define-command.ts";
import { envFile, flag, json, oneOf } from "../command-line/options.ts";
import { ownCommand } from "../platform/own-command.ts";
import {
  fileState,
  type FileState,
  ingestService,
  installService,
  uninstallService,
} from "../service/install-unit.ts";
import { serviceOf } from "../service/offer-unit.ts";
import { managerHere, type ServiceManager, serviceManager } from "../service/supervisor.ts";
import { serviceName } from "../service/unit-text.ts";

const force = flag(
  "replace or remove a service file that `install` did not write; remove it even if systemd or launchd does not respond",
);

export const command = defineCommand({
  about:
    "Runs `ingest` in the background after each login, as a systemd user unit or a launchd agent. The service contains no secret, because it reads its settings from .env.",
  exitCodes: { 1: "failed, or `status` found that it does not run" },
  forms: [
    form({
      name: "install",
      help: "write the service file and start the service; a second run changes only what differs",
      options: {
        print: flag("print what would be written, and write nothing"),
        kind: oneOf(
          "KIND",
          ["systemd", "launchd"],
          "with --print, for another machine instead of this one",
        ),
        force,
        envFile,
      },
      needs: { kind: "print" },
      run: async (options) => {
        const manager = options.kind ? serviceManager(options.kind) : managerOfThisMachine();
        const service = ingestService(options.envFile, { needsMail: !options.print });
        if (options.print) {
          console.error(`${manager.file}:`);
          process.stdout.write(manager.text(service, true));
          return 0;
        }
        const { file, isNew, isSandboxed } = await installService(manager, service, options);
        console.log(isNew ? `Written: ${file}` : `Unchanged: ${file}`);
        if (!isSandboxed && manager.kind === "systemd")
          console.log("This machine forbids the unit's sandbox. It was left out.");
        const { detail } = await manager.state();
        console.log([`${serviceName}: ${detail}`, ...manager.hints].join("\n"));
        return 0;
      },
    }),
    form({
      name: "uninstall",
      help: "stop the service and remove what `install` wrote",
      options: { force },
      run: async (options) => {
        const manager = managerOfThisMachine();
        const wasThere = await uninstallService(manager, options);
        console.log(wasThere ? `Removed: ${manager.file}` : "No service is installed.");
        return 0;
      },
    }),
    form({
      name: "status",
      help: "show whether the service is installed and running",
      options: { json, envFile },
      run: status,
    }),
  ],
});

/**
 * Returns the service manager of this machine.
 * @throws ToolError `not_configured`
 */
function managerOfThisMachine(): ServiceManager {
  const manager = managerHere();
  if (manager !== undefined) return manager;
  throw new ToolError(
    "not_configured",
    `Only systemd and launchd are supported. Nothing was done. Make your system run this at login: ${ownCommand()} ingest`,
  );
}

const fileStates: Record<FileState, string> = {
  none: "not installed",
  current: "installed",
  outdated: "installed for other paths or settings",
  foreign: "installed, but not written by service install, or changed since",
};

async function status(options: { json: boolean; envFile: string | undefined }): Promise<number> {
  const manager = managerOfThisMachine();
  const state = fileState(manager, serviceOf(options.envFile));
  const isReachable = state !== "none" && (await manager.isReachable());
  const { isRunning, detail } = isReachable
    ? await manager.state()
    : { isRunning: false, detail: state === "none" ? "" : `${manager.kind} does not answer` };
  if (options.json) {
    const { kind, file } = manager;
    console.log(
      JSON.stringify({ kind, file, installed: state, running: isRunning, state: detail }),
    );
    return isRunning ? 0 : 1;
  }
  console.log(`${serviceName}: ${fileStates[state]}${detail === "" ? "" : `; ${detail}`}`);
  console.log(`  ${manager.file}`);
  if (state === "none" || state === "outdated") console.log(`  ${ownCommand()} service install`);
  return isRunning ? 0 : 1;
}
