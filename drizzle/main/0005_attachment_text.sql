ALTER TABLE `mail_attachments` ADD `text_sha256` text;--> statement-breakpoint
ALTER TABLE `mail_attachments` ADD `text_bytes` integer;