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
	`outcome` text
);
--> statement-breakpoint
CREATE INDEX `audit_at` ON `audit` (`at`);--> statement-breakpoint
CREATE TABLE `leases` (
	`name` text PRIMARY KEY NOT NULL,
	`holder` text NOT NULL,
	`until` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `tickets` (
	`seq` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`ticket_id` text NOT NULL,
	`principal` text NOT NULL,
	`tool` text NOT NULL,
	`risk` text NOT NULL,
	`args` text NOT NULL,
	`digest` text NOT NULL,
	`target` text,
	`effect` text NOT NULL,
	`fingerprint` text NOT NULL,
	`client` text NOT NULL,
	`config_hash` text NOT NULL,
	`status` text NOT NULL,
	`created_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	`question_hash` text,
	`question_put_at` integer,
	`question_expires_at` integer,
	`question_answered` text,
	`verdict` text,
	`door` text,
	`decided_by` text,
	`decided_at` integer,
	`run_before` integer,
	`holder` text,
	`lease_until` integer,
	`output` text,
	`error` text,
	`delivered` integer DEFAULT false NOT NULL,
	`ended_at` integer,
	CONSTRAINT "tickets_status" CHECK("tickets"."status" in ('pending', 'approved', 'running', 'done', 'failed', 'unknown', 'denied', 'expired'))
);
--> statement-breakpoint
CREATE UNIQUE INDEX `tickets_ticket_id_unique` ON `tickets` (`ticket_id`);--> statement-breakpoint
CREATE UNIQUE INDEX `tickets_open` ON `tickets` (`principal`,`digest`,`config_hash`) WHERE "tickets"."status" in ('pending', 'approved', 'running');--> statement-breakpoint
CREATE INDEX `tickets_identical` ON `tickets` (`principal`,`digest`,`config_hash`,`seq`);--> statement-breakpoint
CREATE INDEX `tickets_question` ON `tickets` (`question_hash`);--> statement-breakpoint
CREATE INDEX `tickets_ended` ON `tickets` (`ended_at`);