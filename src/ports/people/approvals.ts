import type { Ticket } from "../../core/approvals/ticket.ts";

/** What a caller may ask about requests for approval: how one of its own stands, and nothing more. */
export interface Approvals {
  /** Undefined where there is none, or it is another principal's. */
  find(approvalId: string, principal: string): Promise<Ticket | undefined>;
  /** Says what a model does next about this request. */
  guidance(ticket: Ticket): string;
}
