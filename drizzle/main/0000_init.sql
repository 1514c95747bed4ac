CREATE TABLE `event_ledger` (
	`uid` text PRIMARY KEY NOT NULL,
	`principal` text NOT NULL,
	`seed` text NOT NULL,
	`digest` text NOT NULL,
	`created_at` integer NOT NULL,
	`confirmed_at` integer
);
--> statement-breakpoint
CREATE TABLE `assistant_exchanges` (
	`seq` integer PRIMARY KEY NOT NULL,
	`session` text NOT NULL,
	`messages` text NOT NULL,
	`tokens` integer NOT NULL,
	`at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `assistant_exchanges_session` ON `assistant_exchanges` (`session`,`seq`);--> statement-breakpoint
CREATE TABLE `assistant_notes` (
	`seq` integer PRIMARY KEY NOT NULL,
	`principal` text NOT NULL,
	`at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `assistant_notes_principal` ON `assistant_notes` (`principal`,`at`);--> statement-breakpoint
CREATE TABLE `assistant_turns` (
	`event_id` integer PRIMARY KEY NOT NULL,
	`chat_id` text NOT NULL,
	`at` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `chat_buttons` (
	`hash` text PRIMARY KEY NOT NULL,
	`subject_id` text NOT NULL,
	`chat_id` text NOT NULL,
	`action` text NOT NULL,
	`at` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `chat_changes` (
	`undo_id` text NOT NULL,
	`chat_id` text NOT NULL,
	`message_id` integer NOT NULL,
	`after_seq` integer NOT NULL,
	`up_to_seq` integer NOT NULL,
	`outcome` text,
	`is_shown` integer DEFAULT false NOT NULL,
	`at` integer NOT NULL,
	PRIMARY KEY(`undo_id`, `chat_id`)
);
--> statement-breakpoint
CREATE INDEX `chat_changes_message` ON `chat_changes` (`chat_id`,`message_id`);--> statement-breakpoint
CREATE INDEX `chat_changes_outdated` ON `chat_changes` (`chat_id`) WHERE "chat_changes"."outcome" is not null and "chat_changes"."is_shown" = 0;--> statement-breakpoint
CREATE TABLE `chat_events` (
	`event_id` integer PRIMARY KEY NOT NULL,
	`at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `chat_events_at` ON `chat_events` (`at`);--> statement-breakpoint
CREATE TABLE `chat_messages` (
	`ticket_id` text NOT NULL,
	`chat_id` text NOT NULL,
	`message_id` integer,
	`shown` text NOT NULL,
	`note` text,
	`at` integer NOT NULL,
	PRIMARY KEY(`ticket_id`, `chat_id`)
);
--> statement-breakpoint
CREATE TABLE `chat_progress` (
	`chat_id` text PRIMARY KEY NOT NULL,
	`reported_up_to` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `digests` (
	`chat_id` text NOT NULL,
	`day` text NOT NULL,
	`at` integer NOT NULL,
	PRIMARY KEY(`chat_id`, `day`)
);
--> statement-breakpoint
CREATE TABLE `reminders` (
	`reminder_id` text PRIMARY KEY NOT NULL,
	`principal` text NOT NULL,
	`text` text NOT NULL,
	`start_at` integer NOT NULL,
	`time_zone` text NOT NULL,
	`recurrence` text,
	`due_at` integer,
	`sending_for` integer,
	`claimed_at` integer,
	`attempts` integer DEFAULT 0 NOT NULL
);
--> statement-breakpoint
CREATE INDEX `reminders_due` ON `reminders` (`due_at`) WHERE "reminders"."due_at" is not null;--> statement-breakpoint
CREATE INDEX `reminders_principal` ON `reminders` (`principal`);--> statement-breakpoint
CREATE TABLE `audit` (
	`seq` integer PRIMARY KEY NOT NULL,
	`mac` text NOT NULL,
	`key_id` text NOT NULL,
	`type` text NOT NULL,
	`at` integer NOT NULL,
	`call_id` text NOT NULL,
	`ticket_id` text,
	`principal` text NOT NULL,
	`client` text NOT NULL,
	`tool` text NOT NULL,
	`risk` text,
	`digest` text,
	`sentence` text,
	`outcome` text,
	`content` text
);
--> statement-breakpoint
CREATE INDEX `audit_at` ON `audit` (`at`);--> statement-breakpoint
CREATE INDEX `audit_change` ON `audit` (`seq`) WHERE "audit"."type" in ('started', 'finished');--> statement-breakpoint
CREATE INDEX `audit_ticket` ON `audit` (`ticket_id`) WHERE "audit"."ticket_id" is not null;--> statement-breakpoint
CREATE TABLE `audit_checkpoint` (
	`id` integer PRIMARY KEY NOT NULL,
	`seq` integer NOT NULL,
	`mac` text NOT NULL,
	`at` integer NOT NULL,
	`key_id` text NOT NULL,
	`signature` text NOT NULL,
	CONSTRAINT "audit_checkpoint_one" CHECK("audit_checkpoint"."id" = 1)
);
--> statement-breakpoint
CREATE TABLE `client_reports` (
	`name` text NOT NULL,
	`version` text NOT NULL,
	`report` text NOT NULL,
	`at` integer NOT NULL,
	PRIMARY KEY(`name`, `version`)
);
--> statement-breakpoint
CREATE TABLE `decisions` (
	`ticket_id` text PRIMARY KEY NOT NULL,
	`principal` text NOT NULL,
	`tool` text NOT NULL,
	`args` text NOT NULL,
	`verdict` text NOT NULL,
	`channel` text NOT NULL,
	`at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `decisions_at` ON `decisions` (`at`);--> statement-breakpoint
CREATE TABLE `leases` (
	`name` text PRIMARY KEY NOT NULL,
	`holder` text NOT NULL,
	`until` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `pauses` (
	`scope` text PRIMARY KEY NOT NULL,
	`by` text NOT NULL,
	`at` integer NOT NULL,
	`reason` text DEFAULT 'person' NOT NULL,
	`resumed_at` integer
);
--> statement-breakpoint
CREATE TABLE `rule_uses` (
	`rule_key` text PRIMARY KEY NOT NULL,
	`used` integer NOT NULL,
	`expires_at` integer NOT NULL,
	`revoked_at` integer,
	`revoked_by` text
);
--> statement-breakpoint
CREATE TABLE `rules` (
	`rule_id` text PRIMARY KEY NOT NULL,
	`tool` text NOT NULL,
	`principals` text NOT NULL,
	`conditions` text NOT NULL,
	`uses` integer NOT NULL,
	`config_hash` text NOT NULL,
	`ticket_id` text NOT NULL,
	`channel` text NOT NULL,
	`by` text NOT NULL,
	`created_at` integer NOT NULL,
	`expires_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `rules_tool` ON `rules` (`tool`,`expires_at`);--> statement-breakpoint
CREATE TABLE `charges` (
	`seq` integer PRIMARY KEY NOT NULL,
	`principal` text NOT NULL,
	`client` text,
	`turn` text NOT NULL,
	`risk` text NOT NULL,
	`digest` text NOT NULL,
	`at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `charges_at` ON `charges` (`at`);--> statement-breakpoint
CREATE INDEX `charges_turn` ON `charges` (`principal`,`turn`,`at`);--> statement-breakpoint
CREATE INDEX `charges_hour` ON `charges` (`principal`,`at`);--> statement-breakpoint
CREATE TABLE `tickets` (
	`seq` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`ticket_id` text NOT NULL,
	`principal` text NOT NULL,
	`tool` text NOT NULL,
	`risk` text NOT NULL,
	`args` text NOT NULL,
	`digest` text NOT NULL,
	`target` text,
	`acts_on` text,
	`effect` text NOT NULL,
	`fingerprint` text NOT NULL,
	`client` text NOT NULL,
	`config_hash` text NOT NULL,
	`channels` text NOT NULL,
	`similar` text,
	`status` text NOT NULL,
	`created_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	`question_hash` text,
	`question_put_at` integer,
	`question_expires_at` integer,
	`question_answered` text,
	`verdict` text,
	`channel` text,
	`decided_by` text,
	`decided_at` integer,
	`note` text,
	`may_ask_again` integer,
	`run_before` integer,
	`holder` text,
	`lease_until` integer,
	`output` text,
	`error` text,
	`delivered` integer DEFAULT false NOT NULL,
	`ended_at` integer,
	`replaced_by` text,
	`replaces` text,
	`seen_at` integer,
	`asked_seal` text,
	`decided_seal` text,
	`ended_seal` text,
	CONSTRAINT "tickets_status" CHECK("tickets"."status" in ('pending', 'approved', 'running', 'done', 'failed', 'unknown', 'denied', 'expired'))
);
--> statement-breakpoint
CREATE UNIQUE INDEX `tickets_ticket_id_unique` ON `tickets` (`ticket_id`);--> statement-breakpoint
CREATE UNIQUE INDEX `tickets_open` ON `tickets` (`principal`,`digest`,`config_hash`) WHERE "tickets"."status" in ('pending', 'approved', 'running');--> statement-breakpoint
CREATE INDEX `tickets_identical` ON `tickets` (`principal`,`digest`,`config_hash`,`seq`);--> statement-breakpoint
CREATE INDEX `tickets_question` ON `tickets` (`question_hash`);--> statement-breakpoint
CREATE INDEX `tickets_ended` ON `tickets` (`ended_at`);--> statement-breakpoint
CREATE INDEX `tickets_denied` ON `tickets` (`principal`,`decided_at`) WHERE "tickets"."status" = 'denied';--> statement-breakpoint
CREATE INDEX `tickets_approved` ON `tickets` (`principal`,`decided_at`) WHERE "tickets"."verdict" = 'approve';--> statement-breakpoint
CREATE TABLE `file_changes` (
	`undo_id` text PRIMARY KEY NOT NULL,
	`call_id` text NOT NULL,
	`principal` text NOT NULL,
	`key` text NOT NULL,
	`kind` text NOT NULL,
	`sha256` text,
	`state` text NOT NULL,
	`etag_after` text,
	`until` integer NOT NULL,
	`undoes` text,
	`kept_bytes` integer,
	`is_original` integer DEFAULT false NOT NULL,
	`is_evicted` integer DEFAULT false NOT NULL,
	CONSTRAINT "file_changes_kind" CHECK("file_changes"."kind" in ('created', 'replaced', 'deleted')),
	CONSTRAINT "file_changes_state" CHECK("file_changes"."state" in ('planned', 'made', 'dropped'))
);
--> statement-breakpoint
CREATE INDEX `file_changes_call` ON `file_changes` (`call_id`);--> statement-breakpoint
CREATE INDEX `file_changes_until` ON `file_changes` (`until`);--> statement-breakpoint
CREATE INDEX `file_changes_undoes` ON `file_changes` (`undoes`);--> statement-breakpoint
CREATE INDEX `file_changes_key` ON `file_changes` (`key`);--> statement-breakpoint
CREATE INDEX `file_changes_kept` ON `file_changes` (`principal`,`until`) WHERE "file_changes"."kept_bytes" is not null and "file_changes"."is_evicted" = 0;--> statement-breakpoint
CREATE TABLE `indexed_files` (
	`search_id` integer PRIMARY KEY NOT NULL,
	`key` text NOT NULL,
	`etag` text NOT NULL,
	`folded` text NOT NULL,
	`bytes` integer NOT NULL,
	`modified_at` integer NOT NULL,
	`lead` blob
);
--> statement-breakpoint
CREATE UNIQUE INDEX `indexed_files_key_unique` ON `indexed_files` (`key`);--> statement-breakpoint
CREATE TABLE `flow_given` (
	`seq` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`principal` text NOT NULL,
	`kind` text NOT NULL,
	`source_id` text NOT NULL,
	`written_by` text NOT NULL,
	`verified` integer NOT NULL,
	`digest` text NOT NULL,
	`marks` blob NOT NULL,
	`bytes` integer NOT NULL,
	`at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `flow_given_once` ON `flow_given` (`principal`,`kind`,`source_id`,`digest`);--> statement-breakpoint
CREATE INDEX `flow_given_caller` ON `flow_given` (`principal`,`seq`,`bytes`);--> statement-breakpoint
CREATE INDEX `flow_given_at` ON `flow_given` (`at`);--> statement-breakpoint
CREATE TABLE `flow_sent` (
	`seq` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`principal` text NOT NULL,
	`destination` text NOT NULL,
	`text` blob NOT NULL,
	`at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `flow_sent_to` ON `flow_sent` (`principal`,`destination`,`seq`);--> statement-breakpoint
CREATE INDEX `flow_sent_at` ON `flow_sent` (`at`);--> statement-breakpoint
CREATE TABLE `daily_counts` (
	`name` text PRIMARY KEY NOT NULL,
	`day` text NOT NULL,
	`count` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `mail` (
	`mail_id` integer PRIMARY KEY NOT NULL,
	`email_id` text NOT NULL,
	`raw_sha256` blob NOT NULL,
	`raw_bytes` integer NOT NULL,
	`received_at` integer NOT NULL,
	`imported_from` text,
	`step` text,
	`attempts` integer DEFAULT 0 NOT NULL,
	`due_at` integer,
	`failure` text,
	`claim` text,
	`lease_until` integer,
	`search_id` integer,
	`displaced` integer,
	`sender_id` integer,
	`sender_source` text,
	`forwarded_by` text,
	`recipients` text,
	`authentication` text,
	`subject` text DEFAULT '' NOT NULL,
	`date` integer,
	`text_sha256` text,
	`text_at` integer,
	`text_bytes` integer,
	`parse_problem` text,
	`parts_differ` integer,
	`hidden_codes` integer,
	`attachment_count` integer DEFAULT 0 NOT NULL,
	`summary` blob,
	`summary_source` text,
	`notice` text
);
--> statement-breakpoint
CREATE UNIQUE INDEX `mail_email_id_unique` ON `mail` (`email_id`);--> statement-breakpoint
CREATE UNIQUE INDEX `mail_search_id_unique` ON `mail` (`search_id`);--> statement-breakpoint
CREATE INDEX `mail_due` ON `mail` (`due_at`) WHERE "mail"."due_at" is not null;--> statement-breakpoint
CREATE INDEX `mail_pending` ON `mail` (`mail_id`) WHERE "mail"."search_id" is null and "mail"."due_at" is not null;--> statement-breakpoint
CREATE INDEX `mail_by_sender` ON `mail` (`sender_id`,`search_id`);--> statement-breakpoint
CREATE INDEX `mail_with_sender` ON `mail` (`search_id`,`sender_id`);--> statement-breakpoint
CREATE INDEX `mail_with_attachment` ON `mail` (`search_id`) WHERE "mail"."attachment_count" > 0;--> statement-breakpoint
CREATE INDEX `mail_notices` ON `mail` (`mail_id`) WHERE "mail"."notice" = 'due';--> statement-breakpoint
CREATE INDEX `mail_displaced` ON `mail` (`displaced`) WHERE "mail"."displaced" is not null;--> statement-breakpoint
CREATE INDEX `mail_received` ON `mail` (`received_at`) WHERE "mail"."search_id" is not null;--> statement-breakpoint
CREATE TABLE `mail_attachments` (
	`mail_id` integer NOT NULL,
	`position` integer NOT NULL,
	`attachment_id` text NOT NULL,
	`name` text,
	`folded` text DEFAULT '' NOT NULL,
	`media_type` text NOT NULL,
	`bytes` integer NOT NULL,
	`sha256` text NOT NULL,
	`inline` integer NOT NULL,
	`text_sha256` text,
	`text_bytes` integer,
	PRIMARY KEY(`mail_id`, `position`)
);
--> statement-breakpoint
CREATE TABLE `mail_inbox` (
	`mail_id` integer PRIMARY KEY NOT NULL,
	`raw` blob NOT NULL
);
--> statement-breakpoint
CREATE TABLE `mail_leads` (
	`mail_id` integer PRIMARY KEY NOT NULL,
	`deflated` blob NOT NULL
);
--> statement-breakpoint
CREATE TABLE `mail_leftovers` (
	`key` text PRIMARY KEY NOT NULL
);
--> statement-breakpoint
CREATE TABLE `mail_quarantine` (
	`quarantine_id` integer PRIMARY KEY NOT NULL,
	`email_id` text NOT NULL,
	`raw_sha256` blob NOT NULL,
	`raw_bytes` integer NOT NULL,
	`received_at` integer NOT NULL,
	`from_header` text NOT NULL,
	`subject` text NOT NULL,
	`reason` text NOT NULL,
	`confirmation` text,
	`notified` integer DEFAULT false NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `mail_quarantine_email_id_unique` ON `mail_quarantine` (`email_id`);--> statement-breakpoint
CREATE INDEX `mail_quarantine_received` ON `mail_quarantine` (`received_at`);--> statement-breakpoint
CREATE INDEX `mail_quarantine_due` ON `mail_quarantine` (`quarantine_id`) WHERE "mail_quarantine"."notified" = 0;--> statement-breakpoint
CREATE TABLE `mail_receipts` (
	`email_id` text NOT NULL,
	`position` integer NOT NULL,
	`received_at` integer NOT NULL,
	`intake` text NOT NULL,
	`raw_sha256` blob,
	`bytes` integer NOT NULL,
	`envelope_from` text,
	`envelope_to` text,
	`peer` text,
	`helo` text,
	PRIMARY KEY(`email_id`, `position`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `mail_recipients` (
	`recipient_id` integer PRIMARY KEY NOT NULL,
	`name` text NOT NULL,
	`address` text NOT NULL,
	`folded` text NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `mail_recipients_once` ON `mail_recipients` (`name`,`address`);--> statement-breakpoint
CREATE TABLE `mail_rejections` (
	`rejection_id` text PRIMARY KEY NOT NULL,
	`rejected_at` integer NOT NULL,
	`intake` text NOT NULL,
	`source` text NOT NULL,
	`location` text NOT NULL,
	`bytes` integer NOT NULL,
	`from_header` text NOT NULL,
	`subject` text NOT NULL,
	`reason` text NOT NULL
);
--> statement-breakpoint
CREATE INDEX `mail_rejections_at` ON `mail_rejections` (`rejected_at`);--> statement-breakpoint
CREATE TABLE `mail_senders` (
	`sender_id` integer PRIMARY KEY NOT NULL,
	`name` text NOT NULL,
	`address` text NOT NULL,
	`folded` text NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `mail_senders_once` ON `mail_senders` (`name`,`address`);--> statement-breakpoint
CREATE TABLE `mail_sent_to` (
	`search_id` integer NOT NULL,
	`recipient_id` integer NOT NULL,
	PRIMARY KEY(`search_id`, `recipient_id`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `mail_by_recipient` ON `mail_sent_to` (`recipient_id`,`search_id`);--> statement-breakpoint
CREATE TABLE `mail_summaries` (
	`mail_id` integer PRIMARY KEY NOT NULL,
	`due_at` integer,
	`attempts` integer DEFAULT 0 NOT NULL,
	`failure` text,
	`claim` text,
	`lease_until` integer
);
--> statement-breakpoint
CREATE INDEX `mail_summaries_due` ON `mail_summaries` (`due_at`) WHERE "mail_summaries"."due_at" is not null;--> statement-breakpoint
CREATE TABLE `oauth_records` (
	`model` text NOT NULL,
	`id` text NOT NULL,
	`payload` text NOT NULL,
	`grant_id` text,
	`uid` text,
	`client_id` text,
	`consumed_at` integer,
	`seen_at` integer,
	`ends_at` integer NOT NULL,
	PRIMARY KEY(`model`, `id`)
);
--> statement-breakpoint
CREATE INDEX `oauth_records_grant` ON `oauth_records` (`grant_id`);--> statement-breakpoint
CREATE INDEX `oauth_records_uid` ON `oauth_records` (`uid`);--> statement-breakpoint
CREATE INDEX `oauth_records_client` ON `oauth_records` (`client_id`);--> statement-breakpoint
CREATE INDEX `oauth_records_ends` ON `oauth_records` (`ends_at`);--> statement-breakpoint
CREATE TABLE `passkeys` (
	`passkey_id` text PRIMARY KEY NOT NULL,
	`credential_id` text NOT NULL,
	`approver` text NOT NULL,
	`name` text NOT NULL,
	`public_key` blob NOT NULL,
	`counter` integer NOT NULL,
	`challenged_at` integer NOT NULL,
	`created_at` integer NOT NULL,
	`used_at` integer
);
--> statement-breakpoint
CREATE UNIQUE INDEX `passkeys_credential_id_unique` ON `passkeys` (`credential_id`);--> statement-breakpoint
CREATE INDEX `passkeys_approver` ON `passkeys` (`approver`);--> statement-breakpoint
-- The rowid is `mail.search_id`. Contentless: only the words are stored, because the texts are kept elsewhere.
-- The body is first: the index names the column of a word in every other one.
-- Marks count as letters; otherwise Thai and Hindi words would be split at each vowel.
CREATE VIRTUAL TABLE `mail_words` USING fts5(body, subject, sender, summary, attachments, content='', contentless_delete=1, tokenize="unicode61 remove_diacritics 2 categories 'L* N* Co Mn Mc'");--> statement-breakpoint
-- The words of the index in their order. It stores nothing of its own.
CREATE VIRTUAL TABLE `mail_vocab` USING fts5vocab('mail_words', 'row');--> statement-breakpoint
-- The rowid is `indexed_files.search_id`. The words of a file's name are its subject, as in the index of mail.
CREATE VIRTUAL TABLE `file_words` USING fts5(body, subject, content='', contentless_delete=1, tokenize="unicode61 remove_diacritics 2 categories 'L* N* Co Mn Mc'");
