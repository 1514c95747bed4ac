import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type SettingName, settings } from "../../src/config/settings.ts";
import { loadSettings } from "../../src/app/platform/settings.ts";
import { Secret } from "../../src/core/shared/secret.ts";
import { makeDirectory } from "../fakes/temporary-directory.ts";
import { settingProofs } from "./setting-proofs.ts";
import { settingSamples } from "./setting-samples.ts";

let directory: ReturnType<typeof makeDirectory>;
let dataDir: string;
let zone: string | undefined;

beforeEach(() => {
  directory = makeDirectory();
  dataDir = join(directory.path, "data");
  mkdirSync(dataDir, { mode: 0o700 });
  zone = process.env["TZ"];
});

afterEach(() => {
  if (zone === undefined) delete process.env["TZ"];
  else process.env["TZ"] = zone;
  directory.remove();
});

/** Returns the program's configuration with secrets in clear text, so that a changed secret is noticed. */
function load(file: Record<string, string>, env: Record<string, string> = {}, overrides = {}) {
  const lines = Object.entries(file).map(([name, value]) => `${name}='${value}'`);
  writeFileSync(join(dataDir, ".env"), lines.join("\n"), { mode: 0o600 });
  const own = { COUNTERSIGN_DATA_DIR: dataDir, ...env };
  const config = loadSettings({ env: own, overrides, warn: () => undefined });
  return JSON.stringify(config, function (this: Record<string, unknown>, name, value: unknown) {
    // Before it hides itself.
    const own = this[name];
    return own instanceof Secret ? own.reveal() : value;
  });
}

const others = Object.keys(settings).filter((name) => name !== "COUNTERSIGN_DATA_DIR");

describe("each setting [settings.effect]", () => {
  // `--host` and `--port` that were not given hid HTTP_HOST and HTTP_PORT: no test changed them through the file.
  it.each(others)("works through .env, whatever options were not given: %s", (name) => {
    const { value, with: beside = {} } = settingSamples[name as SettingName];
    const set = { ...beside, [name]: value };
    const absent = Object.fromEntries(Object.keys(settings).map((each) => [each, undefined]));
    const fromFile = load(set, {}, absent);
    expect(fromFile).not.toBe(load(without(beside, name)));
    expect(fromFile).toBe(load({}, set));
    expect(load({ ...beside, [name]: value }, {}, { [name]: " " })).toBe(fromFile);
  });
});

/** Returns the values without the setting if it can be absent, otherwise with the value that is given beside it. */
function without(beside: Partial<Record<string, string>>, name: string): Record<string, string> {
  return Object.fromEntries(
    Object.entries(beside).flatMap(([each, value]) =>
      value === undefined || (each === name && settingIsAlone(name)) ? [] : [[each, value]],
    ),
  );
}

const settingIsAlone = (name: string): boolean => name === "DATABASE_AUTH_TOKEN";

const root = new URL("..", import.meta.url);

/** A helper that puts settings into `.env`. */
const throughFile =
  /\b(?:newHome|homeWith\w+|filledHome|writeSettings|openIngestWorld|suiteWithIngest)\(/;

/** Returns the text of a file of tests and of the modules that it imports. */
function textOf(path: string): string {
  const place = new URL(path, root);
  const text = readFileSync(place, "utf8");
  const helpers = [...text.matchAll(/from "(\.\.?\/[\w./-]+)"/g)]
    .map(([, found = ""]) => new URL(found, place))
    .filter(({ pathname }) => /\/test\/(?:protocol|servers)\//.test(pathname));
  return [text, ...helpers.map((helper) => readFileSync(helper, "utf8"))].join("\n");
}

// Many tests set the environment of the process, so that nothing proved that `.env` works.
describe("a test of the built program changes through .env [settings.effect]", () => {
  it("every setting", () => {
    const proven = settingProofs.flatMap((proof) => proof.settings);
    expect(proven.toSorted()).toEqual(Object.keys(settings).toSorted());
  });

  it.each(settingProofs)("$settings: $file, $name", ({ file, name, settings: changed }) => {
    const text = textOf(file);
    expect(text).toContain(`"${name}`);
    expect(text).toMatch(throughFile);
    for (const each of changed) expect(text).toMatch(new RegExp(`\\b${each}(?::|=)`));
  });
});
