/** The catalog's contract as data: names and fields are fixed. `?` marks fields that may be absent. */
export interface PromisedTool {
  risk: "low" | "medium" | "high" | "dynamic";
  input: string;
  output: string;
}

const page = "content, encoding, offset, bytes, totalBytes, truncated, nextOffset?";
const event = "id, title, start, end, allDay, origin";

export const promisedTools: Record<string, PromisedTool> = {
  search_emails: {
    risk: "low",
    input: "query?, from?, after?, before?, hasAttachment?, limit?, cursor?",
    output:
      "emails[{id, from{name?, address, source}, subject, date, summary, summarySource, snippet?, foundIn?{id, name?}, attachmentCount}], total, totalIsLowerBound?, newest?, pending, nextCursor?, notices?[], untrusted",
  },
  read_email: {
    risk: "low",
    input: "emailId, offset?, maxBytes?",
    output: `id, from{name?, address, source}, to[{name?, address}], cc[{name?, address}], subject, date, ${page}, attachments[{id, name?, mediaType, bytes}], partsDiffer?, hidden?, forwardedBy?{name?, address}, authentication?{spf?, dkim?, dmarc?, from}, untrusted`,
  },
  read_attachment: {
    risk: "low",
    input: "emailId, attachmentId, offset?, maxBytes?",
    output: `name?, mediaType, ${page}, untrusted`,
  },
  get_events_availability: {
    risk: "low",
    input: "start, end, timeZone?",
    output: "busy[{start, end, allDay}], covers[], truncated, skipped",
  },
  get_events_details: {
    risk: "dynamic",
    input: "start, end, timeZone?",
    output: `events[{${event}}], withheld, approval?{id, status, expiresAt, fingerprint, guidance}, truncated, skipped, untrusted`,
  },
  create_event: {
    risk: "high",
    input: "title, start, end, allDay?, timeZone?, recurrence?, idempotencyKey?",
    output: event,
  },
  update_event: {
    risk: "high",
    input: "eventId, title?, start?, end?, allDay?, timeZone?, scope?",
    output: event,
  },
  delete_event: { risk: "high", input: "eventId, scope?", output: "id, deleted" },
  list_files: {
    risk: "low",
    input: "prefix?, limit?, cursor?",
    output: "files[{key, bytes, modifiedAt, mediaType, writtenBy?}], nextCursor?",
  },
  read_file: {
    risk: "low",
    input: "key, offset?, maxBytes?",
    output: `key, mediaType, etag, writtenBy?, ${page}, untrusted`,
  },
  write_file: {
    risk: "medium",
    input: "key, content, encoding?, mediaType?, ifMatch?, createOnly?",
    output: "key, bytes, etag, created, undoUntil?",
  },
  delete_file: { risk: "high", input: "key", output: "key, deleted, undoUntil?" },
  web_search: {
    risk: "low",
    input: "query, maxResults?, topic?, timeRange?, includeDomains?[], excludeDomains?[]",
    output: "answer, results[{title, url, content, publishedAt?}], untrusted",
  },
  check_approval: {
    risk: "low",
    input: "approvalId",
    output: "id, tool, status, expiresAt, result?, error?{kind, message}, guidance",
  },
  notify_user: { risk: "medium", input: "text", output: "sent" },
  remind_me: {
    risk: "medium",
    input: "text, at, timeZone?, recurrence?",
    output: "id, next, recurrence?",
  },
  list_reminders: {
    risk: "low",
    input: "",
    output: "reminders[{id, next?, recurrence?, text, unconfirmed?}], untrusted",
  },
  cancel_reminder: {
    risk: "medium",
    input: "id",
    output: "id, cancelled, next?, recurrence?, text",
  },
  search_files: {
    risk: "low",
    input: "query, limit?, cursor?",
    output:
      "files[{key, bytes, modifiedAt, snippet?}], total, pending, nextCursor?, notices?[], untrusted",
  },
};

/** Further facts of some fields: the default and the maximum. */
export const promisedLimits = [
  { tool: "search_emails", field: "limit", initial: 10, maximum: 50 },
  { tool: "list_files", field: "limit", initial: 100, maximum: 1_000 },
  { tool: "search_files", field: "limit", initial: 10, maximum: 50 },
  { tool: "web_search", field: "maxResults", initial: 5, maximum: 5 },
] as const;
