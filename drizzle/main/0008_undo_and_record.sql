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
CREATE TABLE `file_changes` (
	`undo_id` text PRIMARY KEY NOT NULL,
	`call_id` text NOT NULL,
	`principal` text NOT NULL,
	`key` text NOT NULL,
	`kind` text NOT NULL,
	`sha256` text,
	`state` text NOT NULL,
	`left_etag` text,
	`until` integer NOT NULL,
	`undoes` text,
	CONSTRAINT "file_changes_kind" CHECK("file_changes"."kind" in ('created', 'replaced', 'deleted')),
	CONSTRAINT "file_changes_state" CHECK("file_changes"."state" in ('planned', 'made', 'dropped'))
);
--> statement-breakpoint
CREATE INDEX `file_changes_call` ON `file_changes` (`call_id`);--> statement-breakpoint
CREATE INDEX `file_changes_until` ON `file_changes` (`until`);--> statement-breakpoint
CREATE INDEX `file_changes_undoes` ON `file_changes` (`undoes`);--> statement-breakpoint
CREATE INDEX `audit_finished` ON `audit` (`seq`) WHERE "audit"."type" = 'finished';--> statement-breakpoint
CREATE INDEX `audit_ticket` ON `audit` (`ticket_id`) WHERE "audit"."ticket_id" is not null;