CREATE TABLE `mail_quarantine` (
	`quarantine_id` integer PRIMARY KEY NOT NULL,
	`email_id` text NOT NULL,
	`raw_sha256` text NOT NULL,
	`raw_bytes` integer NOT NULL,
	`received_at` integer NOT NULL,
	`from_header` text NOT NULL,
	`subject` text NOT NULL,
	`reason` text NOT NULL,
	`confirmation` text
);
--> statement-breakpoint
CREATE UNIQUE INDEX `mail_quarantine_email_id_unique` ON `mail_quarantine` (`email_id`);--> statement-breakpoint
CREATE INDEX `mail_quarantine_received` ON `mail_quarantine` (`received_at`);