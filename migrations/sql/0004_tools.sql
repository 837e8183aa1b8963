CREATE TABLE `ws_tool_agent` (
	`parent` text PRIMARY KEY NOT NULL,
	`count` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `ws_tool_audit` (
	`id` integer PRIMARY KEY NOT NULL,
	`time` integer NOT NULL,
	`actor` text NOT NULL,
	`call_id` text NOT NULL,
	`tool` text NOT NULL,
	`outcome` text NOT NULL,
	`code` text NOT NULL,
	`duration` integer NOT NULL,
	`input` text NOT NULL
);
--> statement-breakpoint
CREATE TABLE `ws_tool_message` (
	`id` integer PRIMARY KEY NOT NULL,
	`recipient` text NOT NULL,
	`sender` text NOT NULL,
	`text` text NOT NULL,
	`time` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `ws_tool_message_recipient` ON `ws_tool_message` (`recipient`);--> statement-breakpoint
CREATE TABLE `ws_tool_proposal` (
	`actor` text NOT NULL,
	`path` text NOT NULL,
	`part` integer NOT NULL,
	`bytes` blob,
	`base` text,
	PRIMARY KEY(`actor`, `path`, `part`)
);
--> statement-breakpoint
CREATE TABLE `ws_tool_seen` (
	`actor` text NOT NULL,
	`path` text NOT NULL,
	`version` text NOT NULL,
	`content_version` text NOT NULL,
	PRIMARY KEY(`actor`, `path`)
);
--> statement-breakpoint
CREATE TABLE `ws_tool_sent` (
	`id` integer PRIMARY KEY NOT NULL,
	`pair` text NOT NULL,
	`time` integer NOT NULL
);
