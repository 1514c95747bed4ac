CREATE TABLE `mail_inbox` (
	`mail_id` integer PRIMARY KEY NOT NULL,
	`raw` blob NOT NULL
);
