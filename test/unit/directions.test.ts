import { describe, expect, it } from "vitest";
import {
  type ChannelsHere,
  whereToDecide,
  whereToResume,
} from "../../src/core/approvals/directions.ts";

const everything: ChannelsHere = {
  page: () => ({ url: "https://mcp.example.org/approvals" }),
  telegram: (principal) => principal === "alice",
  command: "node /opt/countersign/bundle/main.js",
};
const terminal = "in a terminal with `node /opt/countersign/bundle/main.js approvals`";
const channels = ["elicitation", "page", "telegram", "terminal"] as const;

describe("directions to an approval channel [directions.true]", () => {
  it("name the channels for this caller, with the page's address and the exact command", () => {
    expect(whereToDecide(everything, { principal: "alice", channels })).toBe(
      `on the approval page (https://mcp.example.org/approvals), in Telegram or ${terminal}`,
    );
    expect(whereToDecide(everything, { principal: "bob", channels })).toBe(
      `on the approval page (https://mcp.example.org/approvals) or ${terminal}`,
    );
  });

  it("leave out a missing page, and name the window if it opens automatically", () => {
    const asked = { principal: "local", channels };
    expect(whereToDecide({ ...everything, page: () => undefined }, asked)).toBe(terminal);
    expect(whereToDecide({ ...everything, page: () => "window" }, asked)).toContain(
      "on the approval page that opens in the user's browser or",
    );
  });

  it("name none that the policy excludes", () => {
    const asked = { principal: "alice", channels: ["telegram"] as const };
    expect(whereToDecide(everything, asked)).toBe("in Telegram");
    expect(whereToDecide(everything, { ...asked, channels: ["elicitation"] })).toBeUndefined();
  });

  it("name the place to end a pause, whatever the policy says", () => {
    expect(whereToResume(everything, "alice")).toBe(
      "on the approval page (https://mcp.example.org/approvals), in Telegram with /start or in a terminal with `node /opt/countersign/bundle/main.js approvals resume`",
    );
  });

  // The text named a page that opens, and a refused call opens none.
  it("say how to open the page that ends a pause", () => {
    expect(whereToResume({ ...everything, page: () => "window" }, "bob")).toBe(
      "on the approval page that `node /opt/countersign/bundle/main.js approvals open` opens or in a terminal with `node /opt/countersign/bundle/main.js approvals resume`",
    );
  });

  // Callers over HTTP have no such command on their own machine.
  it("name the server's terminal if callers are elsewhere", () => {
    const remote = { ...everything, isRemote: true };
    expect(whereToDecide(remote, { principal: "bob", channels: ["terminal"] })).toBe(
      "in a terminal on the server with `node /opt/countersign/bundle/main.js approvals`",
    );
  });
});
