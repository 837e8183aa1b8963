/**
 * Defines which files a model may see: the globs in WORKSPACE_DENY hide files from its tools and from everything else that shows it
 * files.
 */
import type { PathPolicy } from "@cloudflare/workspace";
import { compilePathPolicy } from "@workspace/glob";
import type { Env } from "./env.ts";
import { ROOT } from "./http/workspace-path.ts";

/** Globs of files hidden from models, separated by white space. */
export function deniedGlobs({ WORKSPACE_DENY = "" }: Pick<Env, "WORKSPACE_DENY">): string[] {
  return WORKSPACE_DENY.split(/\s+/).filter((glob) => glob !== "");
}

export function modelPolicy(env: Pick<Env, "WORKSPACE_DENY">): PathPolicy {
  const deny = deniedGlobs(env);
  return deny.length === 0 ? {} : { deny };
}

/** Whether a model may see a path. */
export function isVisibleToModel(env: Pick<Env, "WORKSPACE_DENY">): (path: string) => boolean {
  const rules = compilePathPolicy([modelPolicy(env)], ROOT);
  return (path) => rules.visibility(path) === "visible";
}
