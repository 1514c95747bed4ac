CREATE TABLE `decisions` (
	`ticket_id` text PRIMARY KEY NOT NULL,
	`principal` text NOT NULL,
	`tool` text NOT NULL,
	`args` text NOT NULL,
	`verdict` text NOT NULL,
	`door` text NOT NULL,
	`at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `decisions_at` ON `decisions` (`at`);--> statement-breakpoint
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
	`door` text NOT NULL,
	`by` text NOT NULL,
	`created_at` integer NOT NULL,
	`expires_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `rules_tool` ON `rules` (`tool`,`expires_at`);--> statement-breakpoint
ALTER TABLE `tickets` ADD `doors` text;--> statement-breakpoint
ALTER TABLE `tickets` ADD `similar` text;