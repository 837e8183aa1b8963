/**
 * The workspace's private directory under its root: spooled output of commands. Its `.gitignore` hides it from git, sync skips
 * it, and its hidden name keeps it out of ordinary searches. A restricted view may read its own commands' output, and changes
 * nothing there.
 */
export const PRIVATE_DIRECTORY = ".workspace";
