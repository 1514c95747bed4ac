import type { Approvals } from "./people/approvals.ts";
import type { Calendar } from "./calendar/calendar.ts";
import type { Files } from "./files/files.ts";
import type { MailReader } from "./mail/mail-reader.ts";
import type { WebSearch } from "./web-search.ts";

/** All ports that a tool can need. A port that is not configured is absent, and its tools are not listed. */
export interface Ports {
  approvals: Approvals;
  calendar: Calendar;
  files: Files;
  mail: MailReader;
  web: WebSearch;
}
