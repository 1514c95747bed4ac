import * as v from "./kinds.ts";
import { setting } from "./kinds.ts";

export const database = {
  DATABASE_URL: setting(
    v.databaseUrl,
    "The libSQL database.",
    undefined,
    "`countersign.db` in the data directory",
  ),
  DATABASE_AUTH_TOKEN: setting(v.secret, "The token of a remote libSQL server."),
};

export const s3 = {
  S3_BUCKET: setting(v.text, "The bucket for files, mail and undo copies."),
  S3_ENDPOINT: setting(v.httpUrl, "The store's URL.", undefined, "Amazon's, by region"),
  S3_REGION: setting(v.text, "The bucket's region.", "us-east-1"),
  S3_ACCESS_KEY_ID: setting(v.text, "The access key's id."),
  S3_SECRET_ACCESS_KEY: setting(v.secret, "The access key's secret."),
  S3_PREFIX: setting(v.keyPrefix, "The prefix of all keys in the bucket."),
  S3_FORCE_PATH_STYLE: setting(
    v.flag,
    "Put the bucket's name into the path instead of the host name.",
    undefined,
    "`true` with `S3_ENDPOINT`, else `false`",
  ),
};

export const files = {
  FILE_SEARCH: setting(
    v.flag,
    "Index the words of your files, and offer the tool `search_files`.",
    "false",
  ),
  UNDO_HOURS: setting(
    v.integer(1, 720),
    "The time for which replaced and deleted files and events can be restored.",
    "24",
  ),
};

export const record = {
  // A week covers a short absence. Ten years exceed any legal retention period for a household.
  AUDIT_KEEP_DAYS: setting(
    v.integer(7, 3_650),
    "The time for which events of the audit record are kept.",
    "365",
  ),
};
