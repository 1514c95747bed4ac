import type { Documentation } from "../../core/tool/documentation.ts";

export const approvalsDocumentation: Readonly<Record<string, Documentation>> = {
  check_approval: {
    notes: [
      "Returns the status of an approval request. It approves nothing and runs nothing. An approved call runs when you make it again with the same arguments.",
      "`done` comes with the result, and `failed` with the error. The check itself succeeds in both cases. `unknown` means that the run was interrupted, and its effect may have happened. Check the target before you ask again. A `denied` request is final, unless `guidance` says otherwise.",
      "Requests are stored for 24 hours after they end.",
    ],
    errors: {
      not_found: "You have no such request. Use the id from the error that named the request.",
    },
    examples: [
      {
        asks: "Has it been approved?",
        arguments: { approvalId: "ap_aaaaaaaaaaaaaaaaaaaaaaaaaa" },
      },
    ],
  },
};
