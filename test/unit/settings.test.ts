import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { defaultDataDir, loadSettings } from "../../src/app/platform/settings.ts";

let root: string;
let dataDir: string;
const warnings: string[] = [];
const warn = (message: string): void => void warnings.push(message);

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "countersign-"));
  dataDir = join(root, "data");
  warnings.length = 0;
});

afterEach(() => rmSync(root, { recursive: true, force: true }));

function write(path: string, text: string, mode = 0o600): string {
  mkdirSync(join(path, ".."), { recursive: true, mode: 0o700 });
  writeFileSync(path, text);
  chmodSync(path, mode);
  return path;
}

const load = (env: Record<string, string> = {}, envFile?: string) =>
  loadSettings({ env: { COUNTERSIGN_DATA_DIR: dataDir, ...env }, envFile, warn });

describe("the data directory", () => {
  it("is made for this user alone", () => {
    expect(load().dataDir).toBe(dataDir);
    expect(statSync(dataDir).mode & 0o777).toBe(0o700);
  });

  it("is the platform's own by default", () => {
    expect(defaultDataDir({ XDG_DATA_HOME: "/xdg" }, "linux")).toBe("/xdg/countersign");
    expect(defaultDataDir({ XDG_DATA_HOME: "rel" }, "linux")).toMatch(
      /\/\.local\/share\/countersign$/,
    );
    expect(defaultDataDir({}, "darwin")).toMatch(/\/Library\/Application Support\/Countersign$/);
    expect(defaultDataDir({ LOCALAPPDATA: "/local" }, "win32")).toBe("/local/Countersign");
  });

  it("is refused if a file is in its place, with its name", () => {
    write(dataDir, "");
    expect(() => load()).toThrow(`COUNTERSIGN_DATA_DIR names ${dataDir}, which is not a directory`);
  });

  it("is refused if other users can write in it, with the command that fixes it", () => {
    mkdirSync(dataDir);
    chmodSync(dataDir, 0o777);
    expect(() => load()).toThrow(`chmod 700 ${dataDir}`);
  });

  it.each([0o755, 0o750, 0o711])(
    "is closed if other users can enter it (%o), with a warning",
    (mode) => {
      mkdirSync(dataDir);
      chmodSync(dataDir, mode);
      load();
      expect(statSync(dataDir).mode & 0o777).toBe(0o700);
      expect(warnings).toEqual([
        `${dataDir} could be entered by other users: it is now open to you alone (chmod 700)`,
      ]);
    },
  );

  describe("in place of the home directory", () => {
    beforeEach(() => void vi.stubEnv("HOME", join(dataDir, "ann")));
    afterEach(() => void vi.unstubAllEnvs());

    it.each(["", "ann"])("is refused and left as it is (/%s)", (below) => {
      // COUNTERSIGN_DATA_DIR=$HOME closed the home directory to a web server, and COUNTERSIGN_DATA_DIR=/ the system.
      const place = join(dataDir, below);
      write(join(dataDir, "ann", ".profile"), "");
      for (const directory of [dataDir, join(dataDir, "ann")]) chmodSync(directory, 0o755);
      expect(() => load({ COUNTERSIGN_DATA_DIR: place })).toThrow(
        `names ${place}, which is your home directory or above it, and which other users can enter. It was not changed.`,
      );
      expect(statSync(place).mode & 0o777).toBe(0o755);
      expect(readdirSync(place)).toHaveLength(1);
    });

    it("is closed if it is below, or has another name that begins so, unless it has directories of others", () => {
      for (const name of ["ann/data", "anna"]) {
        const place = join(dataDir, name);
        write(join(place, "letters/one.eml"), "");
        for (const directory of [dataDir, place]) chmodSync(directory, 0o755);
        expect(() => load({ COUNTERSIGN_DATA_DIR: place })).toThrow(
          `names ${place}, which has directories of other programs, and which other users can enter. It was not changed.`,
        );
        expect(statSync(place).mode & 0o777).toBe(0o755);
        rmSync(join(place, "letters"), { recursive: true });
        expect(load({ COUNTERSIGN_DATA_DIR: place }).dataDir).toBe(place);
        expect(statSync(place).mode & 0o777).toBe(0o700);
      }
    });
  });

  it("is closed if it has files of others and no directories", () => {
    for (const file of ["policy.json", "tls.pem", "letter.eml"]) write(join(dataDir, file), "");
    chmodSync(dataDir, 0o755);
    expect(load().dataDir).toBe(dataDir);
    expect(statSync(dataDir).mode & 0o777).toBe(0o700);
  });

  it("is named in a command that a shell reads as it is meant", () => {
    // The command had the name in double quotes, in which a shell replaces $c.
    const place = join(dataDir, 'a "b" $c');
    mkdirSync(place, { recursive: true });
    chmodSync(place, 0o777);
    expect(() => load({ COUNTERSIGN_DATA_DIR: place })).toThrow(`run: chmod 700 '${place}'`);
  });

  it("is closed if this program used it before, whatever else is in it", () => {
    for (const file of ["notes.txt", "install.key"]) write(join(dataDir, file), "");
    chmodSync(dataDir, 0o755);
    load();
    expect(statSync(dataDir).mode & 0o777).toBe(0o700);
  });

  it("is refused if other users can replace it", () => {
    chmodSync(root, 0o777);
    expect(() => load()).toThrow("which other users can replace");
    const below = { COUNTERSIGN_DATA_DIR: join(root, "own", "data") };
    expect(() => load(below)).toThrow(`chmod o-w ${root}`);
  });

  it("is refused if other users can replace the directory behind a link", () => {
    const shared = join(root, "shared");
    mkdirSync(join(shared, "data"), { recursive: true, mode: 0o700 });
    chmodSync(shared, 0o777);
    symlinkSync(join(shared, "data"), dataDir);
    expect(() => load()).toThrow(`which other users can replace; run: chmod o-w ${shared}`);
  });

  it.runIf(existsSync("/proc"))("is refused where none can be made, and not tried for ever", () => {
    expect(() => load({ COUNTERSIGN_DATA_DIR: "/proc/x/y" })).toThrow(
      "names /proc/x/y, which cannot be made there",
    );
  });

  it("must be an absolute path", () => {
    expect(() => load({ COUNTERSIGN_DATA_DIR: "data" })).toThrow("must be an absolute path");
  });
});

describe("the file of settings", () => {
  it("in the data directory is read, and the process environment overrides it [settings.sources]", () => {
    write(join(dataDir, ".env"), "LOG_LEVEL=debug\nUNDO_HOURS=48\n");
    const config = load({ LOG_LEVEL: "warn" });
    expect([config.logLevel, config.undoHours]).toEqual(["warn", 48]);
    expect(warnings).toEqual([]);
  });

  it("is not hidden by an empty variable of the process", () => {
    write(join(dataDir, ".env"), "UNDO_HOURS=48\n");
    expect(load({ UNDO_HOURS: "" }).undoHours).toBe(48);
  });

  it("in a cloned project is ignored [settings.no-working-directory]", () => {
    // A hostile project's .env redirected another server's credentials.
    const project = join(root, "project");
    write(join(project, ".env"), `LOG_LEVEL=debug\nCOUNTERSIGN_DATA_DIR=${project}\n`);
    const cwd = vi.spyOn(process, "cwd").mockReturnValue(project);
    expect(load()).toMatchObject({ dataDir, logLevel: "info" });
    cwd.mockRestore();
  });

  it("may be another one, which may set the data directory", () => {
    const elsewhere = join(root, "elsewhere");
    const file = write(
      join(root, "my.env"),
      `COUNTERSIGN_DATA_DIR=${elsewhere}\nLOG_LEVEL=error\n`,
    );
    const config = loadSettings({ env: {}, envFile: file, warn });
    expect(config).toMatchObject({ dataDir: elsewhere, logLevel: "error" });
    expect(existsSync(elsewhere)).toBe(true);
  });

  it("that is named must exist", () => {
    expect(() => load({}, "absent.env")).toThrow(`${join(dataDir, "absent.env")} does not exist`);
  });

  it("is refused if other users can change it, with the command that fixes it", () => {
    const file = write(join(dataDir, ".env"), "LOG_LEVEL=debug", 0o620);
    expect(() => load()).toThrow(`run: chmod 600 ${file}`);
  });

  // The message said to run `chmod 600`, which changed nothing.
  it("is refused in a folder that other users can change, and says what to do", () => {
    const shared = join(root, "shared");
    mkdirSync(shared);
    chmodSync(shared, 0o777);
    expect(() => load({}, write(join(shared, "my.env"), "LOG_LEVEL=debug"))).toThrow(
      "is in a folder that other users can change; move it into a folder that only you can change",
    );
  });

  it("that other users can read is read, with a warning", () => {
    const file = write(join(dataDir, ".env"), "LOG_LEVEL=debug", 0o644);
    expect(load().logLevel).toBe("debug");
    expect(warnings).toEqual([`${file} can be read by other users; run: chmod 600 ${file}`]);
  });

  it("that begins with a byte order mark is read completely", () => {
    // The mark became part of the first name, so the first setting had no effect.
    write(join(dataDir, ".env"), "\uFEFFLOG_LEVEL=debug\n");
    expect(load().logLevel).toBe("debug");
    expect(warnings).toEqual([]);
  });

  it.each([
    ["UTF-16", Buffer.from("\uFEFFLOG_LEVEL=debug\n", "utf16le")],
    ["UTF-16 without a mark", Buffer.from("LOG_LEVEL=debug\n", "utf16le")],
    ["Latin-1", Buffer.from("IMAP_PASSWORD=J\u00FCrgen\n", "latin1")],
  ])("that is %s is refused", (_name, bytes) => {
    const file = write(join(dataDir, ".env"), "");
    writeFileSync(file, bytes);
    expect(() => load()).toThrow(`${file} is not UTF-8 text; save it as UTF-8`);
  });

  it("with lines that are not settings is read, with a warning", () => {
    // The setting below such a line was lost, because Node's parser took the line as the beginning of its name.
    const before = ["# LOG_LEVEL debug", "", "LOG_LEVEL: debug", "LOG_LEVEL=error", "hello world"];
    const after = ["TAVILY_API_KEY='a", "b=", "c'", "export UNDO_HOURS = '5' # hours", "hi"];
    const file = write(join(dataDir, ".env"), [...before, ...after].join("\r\n"));
    expect(load()).toMatchObject({ logLevel: "error", undoHours: 5 });
    expect(warnings).toEqual([`${file}, lines 3, 5, 10: not NAME=VALUE, without effect.`]);
  });

  it("gets one short warning about a pasted key", () => {
    const file = write(join(dataDir, ".env"), `LOG_LEVEL=error\n${"MIIEvQ\n".repeat(30)}`);
    load();
    expect(warnings).toEqual([
      `${file}, lines 2, 3, 4, 5, 6, 25 more: not NAME=VALUE, without effect.`,
    ]);
  });

  it("that sets a setting twice is read, with a warning", () => {
    // The second of two lines far apart won silently, and mail was deleted after 3 days instead of 300.
    const between = "# MAIL_KEEP_DAYS=9\nTAVILY_API_KEY='a\nMAIL_KEEP_DAYS=7'";
    const text = `MAIL_KEEP_DAYS=300\n${between}\n export MAIL_KEEP_DAYS = 3\n`;
    const file = write(join(dataDir, ".env"), text);
    expect(load().ingest.keepDays).toBe(3);
    expect(warnings).toEqual([
      `${file}, lines 1, 5: MAIL_KEEP_DAYS is set more than once. The last value applies.`,
    ]);
  });

  it("gets few warnings about a text that was pasted twice", () => {
    const names = ["A", "B", "C", "D", "E", "F", "G"].map((letter) => `MY_${letter}=1\n`).join("");
    const file = write(join(dataDir, ".env"), names + names);
    load();
    expect(warnings).toHaveLength(6);
    expect(warnings.at(-1)).toBe(`${file}: 2 more settings are set more than once.`);
  });

  it("that contains nearly a setting's name is read, with a warning", () => {
    write(join(dataDir, ".env"), "SMTP_PROT=25\nIMAP_HSOT=a.example\nEDITOR=vi\nSMTP_USER=me\n");
    load({ INGEST_SENDER: "a@b.example", COUNTERSIGN_X: "1", SMTP_PROT: "1", HTTP_PROXY: "x" });
    expect(warnings.toSorted()).toEqual([
      "COUNTERSIGN_X is set but is not a setting. It has no effect.",
      "IMAP_HSOT is set but is not a setting. It has no effect. Did you mean IMAP_HOST?",
      "INGEST_SENDER is set but is not a setting. It has no effect. Did you mean INGEST_SENDERS?",
      "SMTP_PROT is set but is not a setting. It has no effect. Did you mean SMTP_PORT?",
    ]);
  });
});
