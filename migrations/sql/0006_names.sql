ALTER TABLE `ws_shared` RENAME TO `ws_content_ref`;--> statement-breakpoint
ALTER TABLE `ws_search_group` RENAME TO `ws_search_segment`;--> statement-breakpoint
ALTER TABLE `ws_tool_seen` RENAME TO `ws_tool_read`;--> statement-breakpoint
ALTER TABLE `ws_tool_sent` RENAME TO `ws_tool_rate`;--> statement-breakpoint
ALTER TABLE `ws_log` RENAME COLUMN `held` TO `retained_bytes`;--> statement-breakpoint
ALTER TABLE `ws_log` RENAME COLUMN `tx` TO `group_rev`;--> statement-breakpoint
ALTER TABLE `ws_exec_page` RENAME COLUMN `held` TO `partial_char`;--> statement-breakpoint
ALTER TABLE `ws_search_segment` RENAME COLUMN `members` TO `documents`;--> statement-breakpoint
ALTER TABLE `ws_content_ref` RENAME COLUMN `extra` TO `extra_refs`;