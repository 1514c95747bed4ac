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
CREATE TABLE `chat_progress` (
	`chat_id` text PRIMARY KEY NOT NULL,
	`told_up_to` integer NOT NULL
);
