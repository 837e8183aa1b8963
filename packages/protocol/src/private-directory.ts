/**
 * The directory under a workspace's root that is the workspace's own: spooled output of commands. It holds a `.gitignore` that
 * hides all of it from git, sync never touches it, and being hidden it is out of ordinary searches. Agents may read it.
 */
export const PRIVATE_DIRECTORY = ".workspace";
