import { describe, expect, it } from "vitest";
import { clientKinds, connect } from "./clients.ts";
import { newHome } from "./home.ts";

/** The risks of the contract. */
const risks: Readonly<Record<string, string>> = {
  search_emails: "low",
  read_email: "low",
  read_attachment: "low",
  get_events_availability: "low",
  get_events_details: "dynamic",
  create_event: "high",
  update_event: "high",
  delete_event: "high",
  list_files: "low",
  read_file: "low",
  write_file: "medium",
  delete_file: "high",
  web_search: "low",
  check_approval: "low",
};

/** Nothing of the calendar and of web search is configured here. */
const needsSettings = ["event", "web_search"];

describe.concurrent("the list of tools", () => {
  it.for(clientKinds)(
    "reaches a %s client with risks and annotations, and with instructions that begin with the rule on approvals",
    async (kind, t) => {
      // The kinds of clients differ in their messages, and one of them also needs the process.
      const over = kind === "v2 auto" ? "stdio" : "here";
      const client = await connect(newHome(t), kind, { over });
      const tools = await client.listTools();
      const names = tools.map(({ name }) => name);
      expect(names).toEqual(Object.keys(risks).filter((name) => names.includes(name)));
      expect(names).toEqual(
        expect.arrayContaining([
          "search_emails",
          "read_email",
          "list_files",
          "read_file",
          "write_file",
          "delete_file",
          "check_approval",
        ]),
      );
      expect(names.filter((name) => needsSettings.some((part) => name.includes(part)))).toEqual([]);
      for (const { name, annotations, inputSchema, _meta: meta } of tools) {
        expect(meta["dev.countersign/risk"], name).toBe(risks[name]);
        expect(inputSchema["additionalProperties"], name).toBe(false);
        const reads = meta["dev.countersign/risk"] === "low";
        expect(annotations["readOnlyHint"], name).toBe(reads);
        expect(annotations["openWorldHint"], name).toBe(false);
        // Tools that only read have no such hints. Tools that write files can overwrite or remove.
        expect(annotations["destructiveHint"], name).toBe(reads ? undefined : true);
      }
      const instructions = client.instructions() ?? "";
      expect(instructions.length).toBeLessThanOrEqual(2_000);
      const beginning = instructions.slice(0, 500);
      expect(beginning).toContain("approval_required");
      expect(beginning).toContain("You cannot approve anything yourself.");
      expect(beginning).toContain("A denied call is final");
      expect(instructions).toMatch(/Not available here:.*web_search/);
    },
  );
});
