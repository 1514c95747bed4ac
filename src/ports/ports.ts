import type { Approvals } from "./people/approvals.ts";
import type { Calendar } from "./calendar/calendar.ts";
import type { FileIndex } from "./files/file-index.ts";
import type { Files } from "./files/files.ts";
import type { MailReader } from "./mail/mail-reader.ts";
import type { OwnChat } from "./people/own-chat.ts";
import type { Reminders } from "./people/reminders.ts";
import type { KeptResults } from "./upstream/kept-results.ts";
import type { WebSearch } from "./web-search.ts";

/** All ports that a tool can need. A port that is not configured is absent, and its tools are not listed. */
export interface Ports {
  approvals: Approvals;
  calendar: Calendar;
  fileIndex: FileIndex;
  files: Files;
  mail: MailReader;
  ownChat: OwnChat;
  reminders: Reminders;
  results: KeptResults;
  web: WebSearch;
}
