import { describe, expect, it } from "vitest";
import { parseSettings } from "../../src/config.ts";

const telegram = { TELEGRAM_BOT_TOKEN: "t", TELEGRAM_CHAT_ID: "7, 8" };
const read = (ids: string) =>
  parseSettings({ ...telegram, TELEGRAM_APPROVER_IDS: ids }, "/data").telegram;

describe("the approvers in Telegram", () => {
  it("are `operator` without a name", () => {
    expect(read("7, alice:8")).toMatchObject({
      chatIds: ["7", "8"],
      approvers: [
        { userId: "7", name: "operator" },
        { userId: "8", name: "alice" },
      ],
    });
  });

  it.each([
    ["@alice", "TELEGRAM_APPROVER_IDS must be Telegram user ids"],
    ["7,alice:7", "TELEGRAM_APPROVER_IDS names the user 7 twice"],
  ])("are refused if the value is %s", (ids, expected) => {
    expect(() => read(ids)).toThrow(expected);
  });
});
