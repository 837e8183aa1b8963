/** Loads the git engine of `@cloudflare/workspace` on first use. */
import type { GitFactory } from "./workspace-git.ts";

export const loadGit: GitFactory = async (options) => (await import("@workspace/git")).createGit(options);
