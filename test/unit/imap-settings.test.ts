import { expect, it } from "vitest";
import { parseSettings } from "../../src/config.ts";

it.each([
  ["imap.example.org", "993", "implicit"],
  ["imap.example.org", "143", "starttls"],
  ["imap.example.org", "1143", "starttls"],
  ["127.0.0.1", "1143", "none"],
  ["localhost", "993", "implicit"],
])("an IMAP server at %s:%s uses TLS: %s", (host, port, tls) => {
  const env = { IMAP_HOST: host, IMAP_PORT: port, IMAP_USERNAME: "u", IMAP_PASSWORD: "p" };
  expect(parseSettings(env, "/data").imap?.tls).toBe(tls);
});
