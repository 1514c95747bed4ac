CREATE TABLE `chat_buttons` (
	`hash` text PRIMARY KEY NOT NULL,
	`ticket_id` text NOT NULL,
	`chat_id` text NOT NULL,
	`action` text NOT NULL,
	`at` integer NOT NULL
);
--> statement-breakpoint
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
	`at` integer NOT NULL,
	PRIMARY KEY(`ticket_id`, `chat_id`)
);
