import type { Ticket } from "../../core/approvals/ticket.ts";

/** Approval requests as a caller may see them: only the status of the caller's own. */
export interface Approvals {
  /** Returns undefined if it does not exist or belongs to another principal. */
  find(approvalId: string, principal: string): Promise<Ticket | undefined>;
  /** Returns the next step for the model. */
  guidance(ticket: Ticket): string;
}
