CREATE TABLE `mail_refusals` (
	`refusal_id` text PRIMARY KEY NOT NULL,
	`refused_at` integer NOT NULL,
	`intake` text NOT NULL,
	`source` text NOT NULL,
	`lies_in` text NOT NULL,
	`bytes` integer NOT NULL,
	`from_header` text NOT NULL,
	`subject` text NOT NULL,
	`reason` text NOT NULL
);
--> statement-breakpoint
CREATE INDEX `mail_refusals_at` ON `mail_refusals` (`refused_at`);