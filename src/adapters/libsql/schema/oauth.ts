import { blob, index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";

/**
 * Clients, grants, codes and tokens of the authorization server, and ended sessions of the approval page. Ids that are
 * secrets are stored as hashes.
 */
export const oauthRecords = sqliteTable(
  "oauth_records",
  {
    model: text("model").notNull(),
    id: text("id").notNull(),
    payload: text("payload", { mode: "json" }).notNull(),
    grantId: text("grant_id"),
    uid: text("uid"),
    clientId: text("client_id"),
    /** The first use of a code or refresh token. A second use revokes the grant. */
    consumedAt: integer("consumed_at"),
    /** The last call with a token of this grant, to the minute. */
    seenAt: integer("seen_at"),
    endsAt: integer("ends_at").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.model, table.id] }),
    index("oauth_records_grant").on(table.grantId),
    index("oauth_records_uid").on(table.uid),
    index("oauth_records_client").on(table.clientId),
    index("oauth_records_ends").on(table.endsAt),
  ],
);

/** Passkeys of approvers: public keys, which are no secrets. */
export const passkeys = sqliteTable(
  "passkeys",
  {
    passkeyId: text("passkey_id").primaryKey(),
    credentialId: text("credential_id").notNull().unique(),
    approver: text("approver").notNull(),
    name: text("name").notNull(),
    publicKey: blob("public_key", { mode: "buffer" }).notNull(),
    /** The number of signatures as the device counts them. 0 if it does not count. */
    counter: integer("counter").notNull(),
    /** When the newest challenge that it answered was made. An older one is not accepted any more. */
    challengedAt: integer("challenged_at").notNull(),
    createdAt: integer("created_at").notNull(),
    usedAt: integer("used_at"),
  },
  (table) => [index("passkeys_approver").on(table.approver)],
);
