import * as v from "./kinds.ts";
import { setting } from "./kinds.ts";

export const calendar = {
  CALDAV_URL: setting(v.httpUrl, "The CalDAV server.", "https://caldav.icloud.com"),
  CALDAV_USERNAME: setting(v.text, "The account."),
  CALDAV_AUTH: setting(
    v.oneOf("basic", "oauth"),
    "The kind of sign-in: `basic` needs `CALDAV_PASSWORD`, `oauth` (Google) the `CALDAV_OAUTH_` settings.",
    "basic",
  ),
  CALDAV_PASSWORD: setting(
    v.secret,
    "The account's password; iCloud needs an app-specific password.",
  ),
  CALDAV_OAUTH_CLIENT_ID: setting(v.text, "The OAuth client's id."),
  CALDAV_OAUTH_CLIENT_SECRET: setting(v.secret, "The OAuth client's secret."),
  CALDAV_OAUTH_REFRESH_TOKEN: setting(v.secret, "The refresh token."),
  CALDAV_OAUTH_TOKEN_URL: setting(
    v.httpsUrl,
    "The address that renews access tokens.",
    "https://oauth2.googleapis.com/token",
  ),
  CALDAV_CALENDAR: setting(
    v.text,
    "The calendar's name, or its address if two calendars share a name. No other calendar is used.",
  ),
  CALDAV_ALLOWED_HOSTS: setting(
    v.listOf("host names, or `.suffix` for every host below it", (item) =>
      /^\.?[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)*(?::\d+)?$/.test(item) ? item.toLowerCase() : undefined,
    ),
    "Further hosts that may receive requests and the password, in addition to the host of `CALDAV_URL`.",
    undefined,
    "`.icloud.com` with iCloud, else none",
  ),
};
