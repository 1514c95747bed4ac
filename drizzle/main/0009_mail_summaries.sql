CREATE TABLE `daily_counts` (
	`name` text PRIMARY KEY NOT NULL,
	`day` text NOT NULL,
	`count` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `mail_summaries` (
	`mail_id` integer PRIMARY KEY NOT NULL,
	`due_at` integer,
	`attempts` integer DEFAULT 0 NOT NULL,
	`failure` text,
	`claim` text,
	`lease_until` integer
);
--> statement-breakpoint
CREATE INDEX `mail_summaries_due` ON `mail_summaries` (`due_at`) WHERE "mail_summaries"."due_at" is not null;