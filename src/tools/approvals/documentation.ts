import type { Documentation } from "../../core/tool/documentation.ts";

export const approvalsDocumentation: Readonly<Record<string, Documentation>> = {
  check_approval: {
    notes: [
      "Says how a request for approval stands. It approves nothing and runs nothing: an approved call runs when you make it again with the same arguments.",
      "`done` carries the result, `failed` the error; the check itself succeeds. `unknown` means that the run was cut off and may have happened: look before you ask again. A `denied` request is final.",
      "Requests are kept for 24 hours after they ended.",
    ],
    errors: { not_found: "There is no such request of yours: use the id from the answer." },
    examples: [
      {
        asks: "Has it been approved?",
        arguments: { approvalId: "ap_aaaaaaaaaaaaaaaaaaaaaaaaaa" },
      },
    ],
  },
};
