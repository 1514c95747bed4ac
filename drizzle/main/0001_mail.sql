CREATE TABLE `mail` (
	`mail_id` integer PRIMARY KEY NOT NULL,
	`email_id` text NOT NULL,
	`raw_sha256` text NOT NULL,
	`raw_bytes` integer NOT NULL,
	`received_at` integer NOT NULL,
	`step` text,
	`attempts` integer DEFAULT 0 NOT NULL,
	`due_at` integer,
	`failure` text,
	`claim` text,
	`lease_until` integer,
	`search_id` integer,
	`sender_id` integer,
	`sender_source` text DEFAULT 'header' NOT NULL,
	`forwarded_by` text,
	`recipients` text,
	`subject` text DEFAULT '' NOT NULL,
	`date` integer,
	`text_sha256` text,
	`text_bytes` integer,
	`parse_problem` text,
	`attachment_count` integer DEFAULT 0 NOT NULL,
	`summary` text,
	`summary_source` text
);
--> statement-breakpoint
CREATE UNIQUE INDEX `mail_email_id_unique` ON `mail` (`email_id`);--> statement-breakpoint
CREATE UNIQUE INDEX `mail_search_id_unique` ON `mail` (`search_id`);--> statement-breakpoint
CREATE INDEX `mail_due` ON `mail` (`due_at`) WHERE "mail"."due_at" is not null;--> statement-breakpoint
CREATE INDEX `mail_pending` ON `mail` (`mail_id`) WHERE "mail"."search_id" is null and "mail"."due_at" is not null;--> statement-breakpoint
CREATE INDEX `mail_by_sender` ON `mail` (`sender_id`,`search_id`);--> statement-breakpoint
CREATE INDEX `mail_with_attachment` ON `mail` (`search_id`) WHERE "mail"."attachment_count" > 0;--> statement-breakpoint
CREATE INDEX `mail_received` ON `mail` (`received_at`) WHERE "mail"."search_id" is not null;--> statement-breakpoint
CREATE TABLE `mail_attachments` (
	`mail_id` integer NOT NULL,
	`position` integer NOT NULL,
	`attachment_id` text NOT NULL,
	`name` text,
	`media_type` text NOT NULL,
	`bytes` integer NOT NULL,
	`sha256` text NOT NULL,
	`inline` integer NOT NULL,
	PRIMARY KEY(`mail_id`, `position`)
);
--> statement-breakpoint
CREATE TABLE `mail_leads` (
	`mail_id` integer PRIMARY KEY NOT NULL,
	`deflated` blob NOT NULL
);
--> statement-breakpoint
CREATE TABLE `mail_receipts` (
	`receipt_id` integer PRIMARY KEY NOT NULL,
	`email_id` text NOT NULL,
	`received_at` integer NOT NULL,
	`intake` text NOT NULL,
	`raw_sha256` text NOT NULL,
	`bytes` integer NOT NULL,
	`envelope_from` text,
	`envelope_to` text,
	`peer` text
);
--> statement-breakpoint
CREATE INDEX `mail_receipts_of` ON `mail_receipts` (`email_id`);--> statement-breakpoint
CREATE TABLE `mail_senders` (
	`sender_id` integer PRIMARY KEY NOT NULL,
	`name` text NOT NULL,
	`address` text NOT NULL,
	`folded` text NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `mail_senders_once` ON `mail_senders` (`name`,`address`);