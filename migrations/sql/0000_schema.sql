CREATE TABLE `ws_content` (
	`id` integer PRIMARY KEY NOT NULL,
	`bytes` blob NOT NULL
);
--> statement-breakpoint
CREATE TABLE `ws_dirent` (
	`parent` integer NOT NULL,
	`name` text NOT NULL,
	`ino` integer NOT NULL,
	`type` integer NOT NULL,
	PRIMARY KEY(`parent`, `name`)
);
--> statement-breakpoint
CREATE TABLE `ws_epoch` (
	`first_rev` integer PRIMARY KEY NOT NULL,
	`token` text NOT NULL
);
--> statement-breakpoint
CREATE TABLE `ws_garbage` (
	`content` integer PRIMARY KEY NOT NULL
);
--> statement-breakpoint
CREATE TABLE `ws_hardlink` (
	`ino` integer NOT NULL,
	`parent` integer NOT NULL,
	`name` text NOT NULL,
	PRIMARY KEY(`ino`, `parent`, `name`)
);
--> statement-breakpoint
CREATE TABLE `ws_inode` (
	`ino` integer PRIMARY KEY NOT NULL,
	`mode` integer NOT NULL,
	`nlink` integer NOT NULL,
	`size` integer NOT NULL,
	`content` integer NOT NULL,
	`target` text,
	`mtime` integer NOT NULL,
	`ctime` integer NOT NULL,
	`birthtime` integer NOT NULL,
	`rev` integer NOT NULL,
	`content_rev` integer NOT NULL,
	`parent` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `ws_layout` (
	`id` integer PRIMARY KEY NOT NULL,
	`family` integer NOT NULL,
	`runs` text NOT NULL
);
--> statement-breakpoint
CREATE INDEX `ws_layout_family` ON `ws_layout` (`family`);--> statement-breakpoint
CREATE TABLE `ws_log` (
	`rev` integer PRIMARY KEY NOT NULL,
	`tx` integer,
	`time` integer NOT NULL,
	`op` text NOT NULL,
	`type` integer NOT NULL,
	`ino` integer NOT NULL,
	`parent` integer NOT NULL,
	`path` text NOT NULL,
	`from_parent` integer,
	`from_path` text,
	`prev` integer NOT NULL,
	`prev_parent` integer,
	`prev_from` integer,
	`prev_replaced` integer,
	`replaced` integer,
	`old_content` integer,
	`old_size` integer,
	`old_mode` integer,
	`old_mtime` integer,
	`old_content_rev` integer,
	`parent_mtime` integer,
	`from_mtime` integer,
	`held` integer NOT NULL,
	`actor` text,
	`call_id` text
);
--> statement-breakpoint
CREATE TABLE `ws_meta` (
	`key` text PRIMARY KEY NOT NULL,
	`value` text NOT NULL
);
--> statement-breakpoint
CREATE TABLE `ws_orphan` (
	`ino` integer PRIMARY KEY NOT NULL
);
--> statement-breakpoint
CREATE TABLE `ws_shared` (
	`content` integer PRIMARY KEY NOT NULL,
	`extra` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `ws_spool` (
	`first` integer PRIMARY KEY NOT NULL,
	`last` integer NOT NULL,
	`epoch` text NOT NULL
);
