CREATE TABLE `chunks` (
	`key` text NOT NULL,
	`etag` text NOT NULL,
	`number` integer NOT NULL,
	`bytes` blob NOT NULL,
	PRIMARY KEY(`key`, `etag`, `number`)
);
--> statement-breakpoint
CREATE TABLE `objects` (
	`key` text PRIMARY KEY NOT NULL,
	`etag` text NOT NULL,
	`bytes` integer NOT NULL,
	`media_type` text NOT NULL,
	`origin` text,
	`modified_at` integer NOT NULL
);
