import type { Documentation } from "../core/tool/documentation.ts";
import { approvalsDocumentation } from "./approvals/documentation.ts";
import { calendarDocumentation } from "./calendar/documentation.ts";
import { emailDocumentation } from "./email/documentation.ts";
import { filesDocumentation } from "./files/documentation.ts";
import { personDocumentation } from "./person/documentation.ts";
import { webDocumentation } from "./web/documentation.ts";

/** Documentation by tool name. */
export const documentation: Readonly<Record<string, Documentation>> = {
  ...emailDocumentation,
  ...calendarDocumentation,
  ...filesDocumentation,
  ...webDocumentation,
  ...approvalsDocumentation,
  ...personDocumentation,
};
