const nowhere = "http://127.0.0.1:9";

/** The assistant, its tools and its messages. Nothing of them may be loaded at a start. */
export const withAssistant = {
  ASSISTANT_PROVIDER: "openai-compatible",
  ASSISTANT_MODEL: "none",
  ASSISTANT_BASE_URL: `${nowhere}/v1`,
  ASSISTANT_TELEGRAM: "true",
  TELEGRAM_BOT_TOKEN: "1:none",
  TELEGRAM_CHAT_ID: "1",
  TELEGRAM_APPROVER_IDS: "1",
  TELEGRAM_API_URL: nowhere,
  DIGEST_AT: "07:00",
  FILE_SEARCH: "true",
};

/** Every kind of account. None of them answers, and none of them may be needed for the list of tools. */
export const everythingConfigured = {
  ...withAssistant,
  NOTIFY_NEW_MAIL: "true",
  OWNER_ADDRESSES: "ann@example.org",
  IMAP_HOST: "127.0.0.1",
  IMAP_PORT: "9",
  IMAP_USERNAME: "ann",
  IMAP_PASSWORD: "none",
  S3_BUCKET: "none",
  S3_ENDPOINT: nowhere,
  S3_ACCESS_KEY_ID: "none",
  S3_SECRET_ACCESS_KEY: "none",
  INGEST_BUCKET_PREFIX: "in/",
  CALDAV_URL: nowhere,
  CALDAV_USERNAME: "ann",
  CALDAV_PASSWORD: "none",
  CALDAV_CALENDAR: "none",
  TAVILY_API_KEY: "none",
  TAVILY_BASE_URL: nowhere,
  SUMMARY_PROVIDER: "openai-compatible",
  SUMMARY_MODEL: "none",
  SUMMARY_BASE_URL: `${nowhere}/v1`,
};
