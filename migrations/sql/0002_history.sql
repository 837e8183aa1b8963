CREATE TABLE `ws_snapshot` (
	`id` text PRIMARY KEY NOT NULL,
	`rev` integer NOT NULL,
	`name` text NOT NULL,
	`time` integer NOT NULL,
	`pinned` integer NOT NULL,
	`actor` text,
	`call_id` text
);
--> statement-breakpoint
ALTER TABLE `ws_log` ADD `old_ctime` integer;--> statement-breakpoint
ALTER TABLE `ws_log` ADD `parent_ctime` integer;--> statement-breakpoint
ALTER TABLE `ws_log` ADD `from_ctime` integer;--> statement-breakpoint
ALTER TABLE `ws_log` ADD `replaced_ctime` integer;