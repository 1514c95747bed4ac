import type { AuditRecord } from "../../core/audit/audit.ts";
import { randomId } from "../../core/shared/digest.ts";

/**
 * Audits a change of access to mail before it happens, and again with its outcome.
 * @param change `by` is the person, and `client` the approval channel
 * @param outcomeOf returns the audited outcome of a change that did not throw
 */
export async function audited<T>(
  audit: AuditRecord,
  { by, ...change }: { by: string; client: string; tool: string; sentence: string },
  act: () => Promise<T>,
  outcomeOf: (value: T) => string = () => "ok",
): Promise<T> {
  const event = { callId: randomId("call"), principal: by, ...change };
  await audit.append({ type: "started", at: new Date(), ...event });
  const finish = (outcome: string) =>
    audit.append({ type: "finished", at: new Date(), ...event, outcome });
  let value: T;
  try {
    value = await act();
  } catch (error) {
    await finish("failed");
    throw error;
  }
  await finish(outcomeOf(value));
  return value;
}
