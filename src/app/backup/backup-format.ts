import { z } from "zod";

/** The first file of a backup. */
export const manifestName = "backup.json";

export const manifest = z.object({
  /** The number of the format. A change that older programs would misread raises it. */
  format: z.int(),
  /** The program that made it. */
  version: z.string(),
  at: z.iso.datetime(),
});

export const format = 1;

/** Files of a backup besides the manifest. All but the first three may be missing. */
export const databaseName = "countersign.db";
export const objectsName = "objects.db";
export const keyName = "install.key";
export const settingsName = ".env";
const tokenName = "http-token.sha256";
const policyName = /^policy\/[^/\\]{1,200}$/;
const headName = /^audit\/[\w.-]{1,200}$/;

export const neededNames = [databaseName, objectsName, keyName] as const;

/** Small files that are copied as they are. */
export const plainNames = [keyName, tokenName, "servers.json", "reviewed-tools.json"] as const;

/** Returns whether a backup may have a file of this name. No other name is written to the disk. */
export function isKnownName(name: string): boolean {
  const fixed: readonly string[] = [...neededNames, ...plainNames, settingsName, manifestName];
  return fixed.includes(name) || policyName.test(name) || headName.test(name);
}
