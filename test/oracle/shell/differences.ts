/** Where the Worker's shell differs from bash: known, tested, and listed in docs/differences.notes.md. */
export interface ShellDifference {
  readonly script: string;
  /** Exit code and stdout. */
  readonly ours: readonly [number, string];
  readonly bash: readonly [number, string];
}

export const shellDifferences: readonly ShellDifference[] = [
  { script: "(sleep 0.1; echo behind) & echo front; wait", ours: [0, "behind\nfront\n"], bash: [0, "front\nbehind\n"] },
  { script: "yes | head -2", ours: [0, ""], bash: [0, "y\ny\n"] },
  { script: "printf '\\303' | wc -c", ours: [0, "2\n"], bash: [0, "1\n"] },
  { script: "echo ab | grep -oE 'a|ab'", ours: [0, "a\n"], bash: [0, "ab\n"] },
  { script: "echo aa | grep -E '(a)\\1'", ours: [2, ""], bash: [0, "aa\n"] },
];
