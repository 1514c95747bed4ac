CREATE TABLE `mail_recipients` (
	`recipient_id` integer PRIMARY KEY NOT NULL,
	`name` text NOT NULL,
	`address` text NOT NULL,
	`folded` text NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `mail_recipients_once` ON `mail_recipients` (`name`,`address`);--> statement-breakpoint
CREATE TABLE `mail_sent_to` (
	`search_id` integer NOT NULL,
	`recipient_id` integer NOT NULL,
	PRIMARY KEY(`search_id`, `recipient_id`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `mail_by_recipient` ON `mail_sent_to` (`recipient_id`,`search_id`);--> statement-breakpoint
CREATE INDEX `mail_with_sender` ON `mail` (`search_id`,`sender_id`);--> statement-breakpoint
-- For mail that is there. SQLite folds ASCII only; who is a sender too is folded already, and others are with their next mail.
INSERT INTO `mail_recipients` (`name`, `address`, `folded`)
SELECT `name`, `address`, coalesce(
	(SELECT `folded` FROM `mail_senders` s WHERE s.`name` = r.`name` AND s.`address` = r.`address`),
	lower(`name` || ' <' || `address` || '>')
) FROM (
	SELECT DISTINCT coalesce(person.value ->> 'name', '') AS `name`, coalesce(person.value ->> 'address', '') AS `address`
	FROM `mail`, json_each(`mail`.`recipients`) AS field, json_each(field.value) AS person WHERE `search_id` IS NOT NULL
) r;
--> statement-breakpoint
INSERT OR IGNORE INTO `mail_sent_to` (`search_id`, `recipient_id`)
SELECT `search_id`, `recipient_id` FROM `mail`, json_each(`mail`.`recipients`) AS field, json_each(field.value) AS person
CROSS JOIN `mail_recipients` r ON r.`name` = coalesce(person.value ->> 'name', '') AND r.`address` = coalesce(person.value ->> 'address', '')
WHERE `search_id` IS NOT NULL;
