import { describe, expect, it } from "vitest";
import {
  type ChannelsHere,
  whereToDecide,
  whereToResume,
} from "../../src/core/approvals/directions.ts";

const everything: ChannelsHere = {
  page: () => ({ url: "https://mcp.example.org/approvals" }),
  telegram: (principal) => principal === "alice",
  command: "node /opt/countersign/dist/main.js",
};
const terminal = "in a terminal with `node /opt/countersign/dist/main.js approvals`";
const channels = ["elicitation", "page", "telegram", "terminal"] as const;

describe("directions to an approval channel [directions.true]", () => {
  it("name what is there for this caller, with the page's address and the command as it is typed", () => {
    expect(whereToDecide(everything, { principal: "alice", channels })).toBe(
      `on the approval page (https://mcp.example.org/approvals), in Telegram or ${terminal}`,
    );
    expect(whereToDecide(everything, { principal: "bob", channels })).toBe(
      `on the approval page (https://mcp.example.org/approvals) or ${terminal}`,
    );
  });

  it("name no page where there is none, and the window where it opens by itself", () => {
    const asked = { principal: "local", channels };
    expect(whereToDecide({ ...everything, page: () => undefined }, asked)).toBe(terminal);
    expect(whereToDecide({ ...everything, page: () => "window" }, asked)).toContain(
      "on the approval page, which opens in the user's browser or",
    );
  });

  it("name none that the policy closes", () => {
    const asked = { principal: "alice", channels: ["telegram"] as const };
    expect(whereToDecide(everything, asked)).toBe("in Telegram");
    expect(whereToDecide(everything, { ...asked, channels: ["elicitation"] })).toBeUndefined();
  });

  it("lead to where a pause ends, whatever the policy says", () => {
    expect(whereToResume(everything, "alice")).toBe(
      "on the approval page (https://mcp.example.org/approvals), in Telegram with /start or in a terminal with `node /opt/countersign/dist/main.js approvals resume`",
    );
  });
});
