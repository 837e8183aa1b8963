CREATE TABLE `ws_node` (
	`id` integer PRIMARY KEY NOT NULL,
	`level` integer NOT NULL,
	`entries` text NOT NULL,
	`origin` integer,
	`unowned` integer
);
--> statement-breakpoint
CREATE INDEX `ws_node_origin` ON `ws_node` (`origin`) WHERE origin > 0;