import * as v from "./kinds.ts";
import { setting } from "./kinds.ts";

export const approvals = {
  // Guesses from many networks are slowed down but not all refused, because a flood of guesses could otherwise lock a
  // person out. The length makes guessing hopeless.
  APPROVERS: setting(
    v.namedSecrets(16),
    "The approvers and their secrets. `operator` decides for every caller, any other name for the caller of that name.",
  ),
  APPROVAL_TTL_SECONDS: setting(
    v.integer(60, 604_800),
    "The time for which an approval request stays open.",
    "86400",
  ),
  // Clients give up after 60 s. A response after more than 45 s may come too late.
  APPROVAL_WAIT_MS: setting(
    v.integer(100, 45_000),
    "The time for which a call waits for a decision before it returns.",
    "10000",
  ),
  APPROVAL_OPEN: setting(
    v.text,
    "How the approval page opens in your browser: `auto`, `never`, or a command that receives the path.",
    "auto",
  ),
};

export const rules = {
  POLICY_FILE: setting(
    v.path,
    "The policy file (JSON): who may call which tool, which approval channel may decide, and which high-risk calls run without approval.",
  ),
  FLOW_HOURS: setting(
    v.integer(1, 168),
    "The time for which outgoing text is compared with private content that a caller received.",
    "24",
  ),
};

export const budgets = {
  TOOL_CALLS_PER_MINUTE: setting(v.integer(1, 10_000), "Calls per minute, for each caller.", "60"),
  TOOL_CALLS_PER_TURN: setting(
    v.integer(1, 1_000),
    "Calls while the assistant works on one of your messages. Each caller has ten times as many per hour.",
    "40",
  ),
  // People do not carefully read more than five requests in a row.
  HIGH_RISK_CALLS_PER_TURN: setting(
    v.integer(1, 100),
    "High-risk calls among the calls of `TOOL_CALLS_PER_TURN`. Each caller has four times as many per hour. An approval resets both counts. An approval in the client's dialog resets only the first.",
    "5",
  ),
};

export const telegram = {
  TELEGRAM_BOT_TOKEN: setting(v.secret, "The bot's token."),
  TELEGRAM_CHAT_ID: setting(
    v.listOf("chat ids", (item) => (/^-?\d{1,16}$/.test(item) ? item : undefined)),
    "The private chat that the bot writes to; for a team, one per person.",
  ),
  TELEGRAM_APPROVER_IDS: setting(
    v.telegramApprovers,
    "The Telegram users who may decide. A bare id is the approver `operator`, who decides for every caller. `name:id` is the approver `name`.",
  ),
  TELEGRAM_API_URL: setting(
    v.httpUrl,
    "The address of the bot service.",
    "https://api.telegram.org",
  ),
  DIGEST_AT: setting(
    v.timeOfDay,
    "The time of a daily digest in Telegram: new mail, busy times, waiting requests, and yesterday's calls without approval.",
  ),
};
