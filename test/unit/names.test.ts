import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";

const source = fileURLToPath(new URL("../../src/", import.meta.url));
const files = readdirSync(source, { recursive: true, encoding: "utf8" })
  .filter((path) => path.endsWith(".ts"))
  .map((path) => ({ path, text: readFileSync(join(source, path), "utf8") }));

/** Names that were replaced, because no reader could guess their meaning. */
const replaced = [
  "AskingDoor",
  "McpDoor",
  "HttpDoor",
  "StdioDoor",
  "OpenDoor",
  "ApprovalRoad",
  "createCalls",
  "createStanding",
  "standingRefusal",
  "mustNotLoop",
  "Alarms",
  "Spendings",
  "notAsked",
  "createKeep",
  "withhold",
  "isWithheld",
  "Duties",
  "Untaken",
  "asideOf",
  "setAside",
  "liesIn",
  "MailDesk",
  "DeskMail",
  "forParser",
  "handedOver",
  "createRoom",
  "giveBack",
  "putOnRecord",
  "ListeningPlace",
  "unsought",
  "ofHit",
  "ofMail",
  "praise",
  "chooseSome",
  "initially",
  "createSpendings",
  "denialStands",
  "mustNotBePaused",
  "lookedAt",
  "lookAtOutgoing",
  "saysOf",
  "lookNow",
  "toldUpTo",
  "isPatient",
  "GrownArray",
  "inSmallLetters",
  "ideasOf",
  "createGate",
  "NoRoom",
] as const;

describe("the names in src", () => {
  it("give each exported type one declaration", () => {
    const places = new Map<string, string[]>();
    for (const { path, text } of files)
      for (const [, name = ""] of text.matchAll(
        /^export (?:declare )?(?:abstract )?(?:interface|type|class|enum) (\w+)/gm,
      ))
        places.set(name, [...(places.get(name) ?? []), path]);
    expect(places.size).toBeGreaterThan(500);
    expect([...places].filter(([, declared]) => declared.length > 1)).toEqual([]);
  });

  it.each(replaced)("do not use %s", (name) => {
    const word = new RegExp(`\\b${name}\\b`);
    expect(files.filter(({ text }) => word.test(text)).map(({ path }) => path)).toEqual([]);
  });
});
