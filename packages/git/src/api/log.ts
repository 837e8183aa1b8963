/** `git.log()`: returns commits as data. */
import { type LogEntry, type LogOptions as LogQuery, log as walkLog } from "../porcelain/log/log.ts";
import type { Call, CallOptions } from "./call.ts";

export interface LogOptions extends CallOptions, LogQuery {}

/** Newest first, unless reversed. */
export async function log(call: Call, options: LogOptions = {}): Promise<LogEntry[]> {
  const repo = await call.repository(options.paths);
  const entries: LogEntry[] = [];
  for await (const entry of walkLog(repo, options)) entries.push(entry);
  return entries;
}
