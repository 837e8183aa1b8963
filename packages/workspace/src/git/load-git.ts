/**
 * The engine of `@cloudflare/workspace`. Imported as it is: in a bundle of one file, which is what Wrangler makes, a dynamic import
 * saves only the evaluation of tables and classes and wraps every module below it (docs/decisions/0013).
 */
import { createGit } from "@workspace/git";
import type { GitFactory } from "./workspace-git.ts";

export const loadGit: GitFactory = createGit;
