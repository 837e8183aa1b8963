CREATE TABLE `ws_search_block` (
	`id` integer PRIMARY KEY NOT NULL,
	`bits` blob NOT NULL
);
--> statement-breakpoint
CREATE TABLE `ws_search_group` (
	`id` integer PRIMARY KEY NOT NULL,
	`bits` integer NOT NULL,
	`rev` integer NOT NULL,
	`members` blob NOT NULL
);
