import { describe, expect, it } from "vitest";
import { defineCommand, form } from "../../src/app/command-line/define-command.ts";
import { helpText } from "../../src/app/command-line/help-text.ts";
import { oneOf } from "../../src/app/command-line/options.ts";

const command = defineCommand({
  about: "Lists lamps and lights them.",
  exitCodes: { 1: "failed" },
  initial: "list",
  forms: [
    form({ name: "list", help: "list the lamps", run: () => 0 }),
    form({
      name: "light",
      help: "light a lamp",
      options: { colour: oneOf("COLOUR", ["red", "green"], "the colour; without it the last one") },
      run: () => 0,
    }),
  ],
});

describe("the help of a command", () => {
  // `countersign approvals` listed the requests, and no help said so.
  it("names the subcommand that runs without a name", () => {
    expect(helpText("lamps", command)).toContain("list             list the lamps (the default)\n");
    expect(helpText("lamps", command)).toContain("light            light a lamp\n");
  });

  // The words followed a clause about the absence of the option.
  it("begins with the words that an option accepts", () => {
    expect(helpText("lamps", command)).toContain(
      "--colour COLOUR  one of red, green: the colour; without it the last one\n",
    );
  });
});
