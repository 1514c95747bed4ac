import type { Ticket } from "../../core/approvals/ticket.ts";

/** Approval requests as a caller may see them: the status of its own, and no more. */
export interface Approvals {
  /** Undefined if it does not exist or belongs to another principal. */
  find(approvalId: string, principal: string): Promise<Ticket | undefined>;
  /** Returns a model's next step for this request. */
  guidance(ticket: Ticket): string;
}
