/** Finds conflicts between git's markers in a text, and resolves one of them. */
export interface ConflictBlock {
  /** Offsets of the whole block, markers included. */
  from: number;
  to: number;
  mine: string;
  theirs: string;
}

const BLOCK = /^<{7}(?: [^\n]*)?\n([\s\S]*?)^={7}\n([\s\S]*?)^>{7}(?: [^\n]*)?(?:\n|$)/gm;

export function findConflicts(text: string): ConflictBlock[] {
  return [...text.matchAll(BLOCK)].map((match) => ({
    from: match.index,
    to: match.index + match[0].length,
    mine: match[1] ?? "",
    theirs: match[2] ?? "",
  }));
}

export function resolveConflict({ mine, theirs }: ConflictBlock, take: "mine" | "theirs" | "both"): string {
  if (take === "both") return mine + theirs;
  return take === "mine" ? mine : theirs;
}
