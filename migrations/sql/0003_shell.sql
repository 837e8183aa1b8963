CREATE TABLE `ws_exec` (
	`id` text PRIMARY KEY NOT NULL,
	`started` integer NOT NULL,
	`state` text NOT NULL,
	`record` text NOT NULL
);
--> statement-breakpoint
CREATE TABLE `ws_exec_page` (
	`exec` text NOT NULL,
	`first` integer NOT NULL,
	`lengths` blob NOT NULL,
	`at` integer,
	`bytes` blob,
	`held` blob NOT NULL,
	PRIMARY KEY(`exec`, `first`)
);
