/**
 * Finds every process of a command: its process group, its descendants, and processes that left both but carry the command's
 * mark in their environment. The mark finds a daemon that forks twice and starts its own session.
 */
import { readdirSync, readFileSync, statSync } from "node:fs";

export const MARK = "WORKSPACE_EXEC_ID";
/** Rounds of searching for children that were forked while their parents were being killed. */
const ROUNDS = 5;

export function signalTree(leader: number, id: string, signal: NodeJS.Signals): void {
  send(-leader, signal);
  for (let round = 0; round < ROUNDS; round++) {
    const found = membersOf(leader, id);
    for (const pid of found) send(pid, signal);
    if (found.length === 0 || signal !== "SIGKILL") return;
  }
}

/** Whether the group has a live process; cheap, because it runs after every command. */
export function isAlive(leader: number): boolean {
  try {
    process.kill(-leader, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

/** Every process of a user that only runs commands, including one that left its session and cleared its environment. */
export function processesOf(uid: number): number[] {
  return readdirSync("/proc")
    .map(Number)
    .filter((pid) => Number.isInteger(pid) && ownerOf(pid) === uid && readProcessStat(pid) !== null);
}

function ownerOf(pid: number): number | null {
  try {
    return statSync(`/proc/${pid}`).uid;
  } catch {
    return null;
  }
}

/** Skips zombies: they are dead and only wait to be reaped. */
export function membersOf(leader: number, id: string): number[] {
  const parents = new Map<number, { parent: number; group: number }>();
  for (const name of readdirSync("/proc")) {
    const pid = Number(name);
    if (!Number.isInteger(pid) || pid === process.pid) continue;
    const stat = readProcessStat(pid);
    if (stat !== null) parents.set(pid, stat);
  }
  const mark = `${MARK}=${id}`;
  const members = new Set<number>();
  for (const [pid, { group }] of parents)
    if (pid === leader || group === leader || hasMark(pid, mark)) members.add(pid);
  for (let grown = true; grown; ) {
    grown = false;
    for (const [pid, { parent }] of parents) {
      if (members.has(pid) || !members.has(parent)) continue;
      members.add(pid);
      grown = true;
    }
  }
  return [...members];
}

/**
 * Field 3 is the state, 4 the parent, 5 the group; the name in field 2 may contain any character, so parsing starts after the
 * last `)`.
 */
function readProcessStat(pid: number): { parent: number; group: number } | null {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, "latin1");
    const [state, parent, group] = text.slice(text.lastIndexOf(")") + 2).split(" ");
    return state === "Z" ? null : { parent: Number(parent), group: Number(group) };
  } catch {
    return null;
  }
}

function hasMark(pid: number, mark: string): boolean {
  try {
    const environment = readFileSync(`/proc/${pid}/environ`, "latin1");
    return environment.startsWith(`${mark}\0`) || environment.includes(`\0${mark}\0`);
  } catch {
    return false;
  }
}

function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if (!["ESRCH", "EPERM"].includes((error as NodeJS.ErrnoException).code ?? "")) throw error;
  }
}
