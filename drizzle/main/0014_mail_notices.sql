ALTER TABLE `mail` ADD `notice` text;--> statement-breakpoint
CREATE INDEX `mail_notices` ON `mail` (`mail_id`) WHERE "mail"."notice" = 'due';--> statement-breakpoint
ALTER TABLE `mail_quarantine` ADD `told` integer DEFAULT false NOT NULL;--> statement-breakpoint
CREATE INDEX `mail_quarantine_untold` ON `mail_quarantine` (`quarantine_id`) WHERE "mail_quarantine"."told" = 0;