/** Where two plays of one sequence part ways, in words; undefined when they do not. */
import type { HandleStep, Operation, PathOperation } from "./operation.ts";
import type { Outcome, Played } from "./play.ts";

export function difference(operations: Operation[], ours: Played, real: Played): string | undefined {
  for (const [i, operation] of operations.entries()) {
    if (dependsOnOrder(operations.slice(0, i), operation, ours.outcomes[i]!, real.outcomes[i]!)) return undefined;
    const wrong = outcomeDifference(operation, ours.outcomes[i]!, real.outcomes[i]!);
    if (wrong !== undefined) return `operation ${i}, ${wrong}`;
  }
  return treeDifference("node:fs", ours.tree, real.tree);
}

export function treeDifference(otherName: string, ours: string[], other: string[]): string | undefined {
  const only = (a: string[], b: string[]) => a.filter((line) => !b.includes(line)).map((line) => `\n    ${line}`);
  const [mine, theirs] = [only(ours, other), only(other, ours)];
  if (mine.length + theirs.length === 0 && ours.length === other.length) return undefined;
  return `the trees at the end\n  ours:${mine.join("")}\n  ${otherName}:${theirs.join("")}`;
}

function outcomeDifference(operation: Operation, ours: Outcome, real: Outcome): string | undefined {
  if (operation.op === "handle" && "ok" in ours && "ok" in real) {
    const [mine, theirs] = [ours.ok as Outcome[], real.ok as Outcome[]];
    for (const [i, step] of operation.steps.entries()) {
      const wrong = stepDifference(step, mine[i]!, theirs[i]!);
      if (wrong !== undefined) return `a handle open with ${operation.flags}, step ${i}, ${wrong}`;
    }
    return undefined;
  }
  if (same(ours, real)) return undefined;
  if (operation.op === "step") return stepDifference(operation.step, ours, real);
  if (operation.op === "cp" && "error" in ours && "error" in real && eitherIsRight(operation, ours.error, real.error))
    return;
  return toText(operation, ours, real);
}

function stepDifference(step: HandleStep, ours: Outcome, real: Outcome): string | undefined {
  if (step.step === "meanwhile") return outcomeDifference(step.operation, ours, real);
  return same(ours, real) ? undefined : toText(step, ours, real);
}

function toText(what: Operation | HandleStep, ours: Outcome, real: Outcome): string {
  return `${JSON.stringify(what)}\n  ours:    ${JSON.stringify(ours)}\n  node:fs: ${JSON.stringify(real)}`;
}

const same = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b);

/**
 * Node copies a directory in the order that the disk has, and ours by name. A link in the source that points into the target dangles
 * until the copy has made what it points at, and to copy it over another link fails before that. The trees differ from there on.
 */
function dependsOnOrder(before: Operation[], operation: Operation, ours: Outcome, real: Outcome): boolean {
  if (operation.op !== "cp" || !operation.recursive) return false;
  const fails = [ours, real].map((outcome) => "error" in outcome && outcome.error === "ENOENT");
  const { to } = operation;
  return (
    fails[0] !== fails[1] && before.some((earlier) => earlier.op === "symlink" && earlier.target.startsWith(`${to}/`))
  );
}

/** Of the source, of the target, and of a source that is a directory where none may be. */
const AT_A_PATH = ["ENOENT", "ENOTDIR", "ELOOP", "ERR_FS_EISDIR"];
const BELOW_THE_TOP = [
  "EEXIST",
  "ENOENT",
  "ELOOP",
  "ERR_FS_CP_EEXIST",
  "ERR_FS_CP_EINVAL",
  "ERR_FS_CP_DIR_TO_NON_DIR",
  "ERR_FS_CP_NON_DIR_TO_DIR",
  "ERR_FS_CP_SYMLINK_TO_SUBDIRECTORY",
];

/** Node asks for both paths at once and goes through a directory in no order: of several faults it may name any. */
function eitherIsRight({ recursive }: Extract<PathOperation, { op: "cp" }>, ours: string, real: string): boolean {
  const both = (codes: string[]) => codes.includes(ours) && codes.includes(real);
  return both(AT_A_PATH) || (recursive && both(BELOW_THE_TOP));
}
