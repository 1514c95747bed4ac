CREATE TABLE `spendings` (
	`seq` integer PRIMARY KEY NOT NULL,
	`principal` text NOT NULL,
	`client` text,
	`turn` text NOT NULL,
	`risk` text NOT NULL,
	`digest` text NOT NULL,
	`at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `spendings_at` ON `spendings` (`at`);--> statement-breakpoint
CREATE INDEX `spendings_turn` ON `spendings` (`principal`,`turn`,`at`);--> statement-breakpoint
ALTER TABLE `pauses` ADD `reason` text DEFAULT 'person' NOT NULL;--> statement-breakpoint
ALTER TABLE `pauses` ADD `resumed_at` integer;--> statement-breakpoint
ALTER TABLE `tickets` ADD `acts_on` text;--> statement-breakpoint
CREATE INDEX `tickets_denied` ON `tickets` (`principal`,`decided_at`) WHERE "tickets"."status" = 'denied';