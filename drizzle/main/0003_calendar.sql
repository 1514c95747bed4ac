CREATE TABLE `event_ledger` (
	`uid` text PRIMARY KEY NOT NULL,
	`principal` text NOT NULL,
	`seed` text NOT NULL,
	`digest` text NOT NULL,
	`created_at` integer NOT NULL,
	`confirmed_at` integer
);
