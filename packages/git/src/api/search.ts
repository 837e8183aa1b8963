/** Search methods: `grep` in tracked files or a revision, `blame` of a file. */
import { type BlameRequest, blameFile, type GitBlameLine } from "../porcelain/blame/blame-file.ts";
import { type GrepMatch, type GrepRequest, grep as searchFiles } from "../porcelain/grep/grep.ts";
import type { Call, CallOptions } from "./call.ts";

export interface GrepOptions extends CallOptions, GrepRequest {}

export async function grep(call: Call, options: GrepOptions): Promise<GrepMatch[]> {
  const matches: GrepMatch[] = [];
  for await (const match of searchFiles(await call.repository(options.paths), options)) matches.push(match);
  return matches;
}

export interface BlameOptions extends CallOptions, BlameRequest {}

export async function blame(call: Call, options: BlameOptions): Promise<GitBlameLine[]> {
  return blameFile(await call.repository(), call.cwd, options);
}
