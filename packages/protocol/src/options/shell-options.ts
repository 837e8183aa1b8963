/** The options of `workspace.shell`. */
import type { OptionTable } from "./option-table.ts";

export const execOptions = {
  /** Chosen by the caller, to find the execution again; 1 to 64 of `A-Za-z0-9._-`. EEXIST if it is taken. */
  id: "text",
  /** Default the workspace's root. A relative path starts there. */
  cwd: "path",
  env: "variables",
  stdin: "input",
  /** "utf8" gives strings, with characters that were split between chunks joined; default "bytes". */
  encoding: ["utf8", "bytes"],
  /** Kills the whole process tree on timeout; 0, the default, means no timeout of the caller's own. */
  timeoutMs: "number",
  /** Default the container when the workspace has one, the Worker otherwise. */
  backend: ["worker", "container"],
  /** Kills the process (SIGTERM, then SIGKILL) when aborted. */
  signal: "signal",
} as const satisfies OptionTable;

export const getOptions = {
  /** Which events the handle yields: those from now on, all, or those after a `seq`; default "full". */
  resume: "resume",
  encoding: ["utf8", "bytes"],
} as const satisfies OptionTable;

export const listOptions = {
  state: ["running", "exited", "killed", "timedout", "lost"],
  /** Newest first; default and maximum 1000. */
  limit: "number",
} as const satisfies OptionTable;
