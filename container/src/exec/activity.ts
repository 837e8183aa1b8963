/**
 * Whether a command's processes did anything between two moments that could have changed a file, by the kernel's own counts: calls
 * that write (or whether it ran at all, where those are not to be read), and page faults, its children's included. A server that
 * waits for requests does neither, and then what changed in the tree is not its doing.
 */
import { readdirSync, readFileSync } from "node:fs";
import { membersOf } from "./process-tree.ts";

/** Equal for two moments between which nothing was done; null when it cannot be told. */
export function activityOf(leader: number, id: string): string | null {
  try {
    return membersOf(leader, id).map(countsOf).join(" ");
  } catch {
    return null;
  }
}

/** Field 10 of `stat` are its own page faults, 11 those of its children, 22 when it was started; the name in field 2 may hold anything. */
function countsOf(pid: number): string {
  const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return [pid, fields[19], fields[7], fields[8], ...(writesOf(pid) ?? turnsOf(pid))].join(":");
}

/** Calls that write, and their bytes; null where another user's counts may not be read, as in most containers. */
function writesOf(pid: number): string[] | null {
  try {
    return numbersIn(readFileSync(`/proc/${pid}/io`, "latin1"), /^(?:wchar|syscw):/);
  } catch {
    return null;
  }
}

/** How often each thread got and gave up a processor: one that did not run wrote nothing. */
function turnsOf(pid: number): string[] {
  return readdirSync(`/proc/${pid}/task`).flatMap((thread) => {
    const status = readFileSync(`/proc/${pid}/task/${thread}/status`, "latin1");
    // On a processor now: it is at work, and its counts will not say so before it is done.
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
