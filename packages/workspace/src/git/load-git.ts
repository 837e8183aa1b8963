/** The engine, loaded when it is first asked for: a worker that never uses git starts without it. */
import type { GitFactory } from "./workspace-git.ts";

export const loadGit: GitFactory = async (options) => (await import("@workspace/git")).createGit(options);
