import { isTool } from "../core/tool/tool.ts";
import { checkApproval } from "./approvals/check-approval.ts";
import { createEvent } from "./calendar/create-event.ts";
import { deleteEvent } from "./calendar/delete-event.ts";
import { getEventsAvailability } from "./calendar/get-events-availability.ts";
import { getEventsDetails } from "./calendar/get-events-details.ts";
import { updateEvent } from "./calendar/update-event.ts";
import { readAttachment } from "./email/read-attachment.ts";
import { readEmail } from "./email/read-email.ts";
import { searchEmails } from "./email/search-emails.ts";
import { deleteFile } from "./files/delete-file.ts";
import { listFiles } from "./files/list-files.ts";
import { readFile } from "./files/read-file.ts";
import { searchFiles } from "./files/search-files.ts";
import { writeFile } from "./files/write-file.ts";
import { cancelReminder } from "./person/cancel-reminder.ts";
import { listReminders } from "./person/list-reminders.ts";
import { notifyUser } from "./person/notify-user.ts";
import { remindMe } from "./person/remind-me.ts";
import { webSearch } from "./web/web-search.ts";

/** Every tool of the product, in the order in which it is listed and documented. */
export const contracts = [
  searchEmails,
  readEmail,
  readAttachment,
  getEventsAvailability,
  getEventsDetails,
  createEvent,
  updateEvent,
  deleteEvent,
  listFiles,
  readFile,
  writeFile,
  deleteFile,
  webSearch,
  checkApproval,
  notifyUser,
  remindMe,
  listReminders,
  cancelReminder,
  searchFiles,
] as const;

/** The tools that are implemented, which are the contracts with functions. */
export const catalog = contracts.filter(isTool);
