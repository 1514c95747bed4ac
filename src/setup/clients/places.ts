import { posix, win32 } from "node:path";
import type { Machine } from "./client.ts";

/** Joins a path with the separator of this machine's system. */
export function joined({ system }: Machine, first: string, ...more: readonly string[]): string {
  return (system === "win32" ? win32 : posix).join(first, ...more);
}

/** Returns the variable's path if it is set, else a path below the home directory. */
export function homeOr(machine: Machine, variable: string, ...below: readonly string[]): string {
  const given = machine.env[variable] ?? "";
  return given === "" ? joined(machine, machine.home, ...below) : given;
}

/** Returns the folder in which desktop programs store their settings: Electron's `appData`. */
export function appData(machine: Machine, ...below: readonly string[]): string {
  return joined(machine, appDataOf(machine), ...below);
}

function appDataOf(machine: Machine): string {
  switch (machine.system) {
    case "darwin":
      return joined(machine, machine.home, "Library", "Application Support");
    case "win32":
      return homeOr(machine, "APPDATA", "AppData", "Roaming");
    default:
      return homeOr(machine, "XDG_CONFIG_HOME", ".config");
  }
}
