import { index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";

/** Clients, grants, codes and tokens of the authorization server. Ids that are secrets are stored as hashes. */
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
