/**
 * Detects whether a command's processes could have changed a file between two moments, from kernel counters: write calls (or CPU
 * time slices, where write calls are not readable) and page faults, children included. A server that waits for requests does
 * neither, so changes in the tree are not attributed to it.
 */
import { readdirSync, readFileSync } from "node:fs";
import { membersOf } from "./process-tree.ts";

/** Equal at two moments if nothing happened between them; null if the counters are not readable. */
export function activityOf(leader: number, id: string): string | null {
  try {
    return membersOf(leader, id).map(countsOf).join(" ");
  } catch {
    return null;
  }
}

/**
 * `stat`: field 10 is its own page faults, 11 those of its children, 22 its start time; the name in field 2 may contain any
 * character.
 */
function countsOf(pid: number): string {
  const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return [pid, fields[19], fields[7], fields[8], ...(writesOf(pid) ?? turnsOf(pid))].join(":");
}

/** Write calls and their bytes; null where another user's counters are not readable, as in most containers. */
function writesOf(pid: number): string[] | null {
  try {
    return numbersIn(readFileSync(`/proc/${pid}/io`, "latin1"), /^(?:wchar|syscw):/);
  } catch {
    return null;
  }
}

/** How often each thread was scheduled; a thread that did not run wrote nothing. */
function turnsOf(pid: number): string[] {
  return readdirSync(`/proc/${pid}/task`).flatMap((thread) => {
    const status = readFileSync(`/proc/${pid}/task/${thread}/status`, "latin1");
    // Running right now: its counters are updated only afterwards.
    const isRunning = /^State:\s+[RD]/m.test(status);
    return isRunning ? [String(process.hrtime.bigint())] : numbersIn(status, /ctxt_switches:/);
  });
}

function numbersIn(text: string, line: RegExp): string[] {
  return text
    .split("\n")
    .filter((each) => line.test(each))
    .map((each) => each.replace(/^\D*/, () => ""));
}
