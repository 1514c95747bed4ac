CREATE TABLE `chunks` (
	`chunk_id` integer PRIMARY KEY NOT NULL,
	`bytes` blob NOT NULL,
	`packing` integer NOT NULL,
	`base_id` integer
);
--> statement-breakpoint
CREATE INDEX `chunks_base` ON `chunks` (`base_id`) WHERE "chunks"."base_id" is not null;--> statement-breakpoint
CREATE TABLE `objects` (
	`key` blob PRIMARY KEY NOT NULL,
	`body_id` integer NOT NULL,
	`etag` integer NOT NULL,
	`bytes` integer NOT NULL,
	`media_type` text,
	`origin` text,
	`modified_at` integer NOT NULL
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TRIGGER `objects_removed` AFTER DELETE ON `objects` BEGIN
	DELETE FROM `chunks` WHERE `chunk_id` >= old.`body_id` << 16 AND `chunk_id` < (old.`body_id` + 1) << 16;
END;
--> statement-breakpoint
CREATE TRIGGER `objects_replaced` AFTER UPDATE OF `body_id` ON `objects` WHEN old.`body_id` <> new.`body_id` BEGIN
	DELETE FROM `chunks` WHERE `chunk_id` >= old.`body_id` << 16 AND `chunk_id` < (old.`body_id` + 1) << 16;
END;
--> statement-breakpoint
-- Bytes that other chunks are made of stay until those have bytes of their own.
CREATE TRIGGER `chunks_needed` BEFORE DELETE ON `chunks` WHEN EXISTS (SELECT 1 FROM `chunks` WHERE `base_id` = old.`chunk_id` >> 16) BEGIN
	SELECT raise(ABORT, 'another object is made of these bytes');
END;
