import { z } from "zod";
import { ours, outputOfTool } from "../../core/tool/untrusted-text.ts";
import { ToolError } from "../../core/tool/tool-error.ts";
import { defineTool } from "../../ports/define-tool.ts";

export const checkApproval = defineTool({
  name: "check_approval",
  title: "Check an approval",
  description: "Status of an approval request. Approves nothing.",
  risk: "low",
  operation: "reads",
  // Not counted, because the status must be available when other calls are refused.
  free: true,
  needs: ["approvals"],
  input: z.strictObject({
    approvalId: z.string().max(100).describe("From approval_required"),
  }),
  output: z.object({
    id: ours(z.string()).describe("The request"),
    tool: ours(z.string()).describe("Its tool"),
    status: z
      .enum(["pending", "approved", "running", "done", "failed", "unknown", "denied", "expired"])
      .describe("Its status"),
    expiresAt: ours(z.string()).describe("When it expires"),
    result: outputOfTool(z.record(z.string(), z.unknown()), "tool")
      .optional()
      .describe("The tool's result"),
    error: z
      .object({
        kind: ours(z.string()).describe("Error kind"),
        message: ours(z.string()).describe("What went wrong"),
      })
      .optional()
      .describe("Why it failed"),
    guidance: ours(z.string()).describe("What to do next"),
  }),
  execute: async ({ approvalId }, { ports, principal }) => {
    const ticket = await ports.approvals.find(approvalId, principal);
    if (ticket === undefined) {
      throw new ToolError("not_found", "The approval request does not exist.", {
        hint: "Use the id from an approval_required error.",
      });
    }
    const { status, tool } = ticket;
    return {
      id: ticket.ticketId,
      tool,
      status,
      expiresAt: ticket.expiresAt.toISOString(),
      ...(status === "done" && { result: { ...ticket.output } }),
      ...("error" in ticket &&
        ticket.error !== undefined && {
          error: { kind: ticket.error.kind, message: ticket.error.message },
        }),
      guidance: [
        ...("decision" in ticket
          ? [
              `${ticket.decision.verdict === "approve" ? "Approved" : "Denied"} at ${ticket.decision.at.toISOString()} (${ticket.decision.channel}).`,
            ]
          : []),
        ports.approvals.guidance(ticket),
      ].join(" "),
    };
  },
  text: ({ id, tool, status, result, error, guidance: next }) => ({
    facts: [
      `Request ${id} for ${tool}: ${status}. ${next}`,
      ...(error === undefined ? [] : [`${error.kind}: ${error.message}`]),
    ].join("\n"),
    ...(result !== undefined && { untrusted: JSON.stringify(result) }),
  }),
  describe: (_args, output) =>
    output === undefined
      ? "check an approval request"
      : `checked an approval request (${output.tool}: ${output.status})`,
});
