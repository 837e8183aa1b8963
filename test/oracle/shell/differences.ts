// biome-ignore-all lint/suspicious/noTemplateCurlyInString: bash has them too
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
  // Refused, with the container named as the place for it.
  { script: "umask 077; echo $?", ours: [0, "1\n"], bash: [0, "0\n"] },
  { script: "(trap 'echo sub' EXIT; echo in)", ours: [0, "in\n"], bash: [0, "in\nsub\n"] },
  { script: "trap 'echo err' ERR; false; echo done", ours: [0, "done\n"], bash: [0, "err\ndone\n"] },
  { script: "select x in a b; do echo $x; break; done <<< 1 2> /dev/null", ours: [2, ""], bash: [0, "a\n"] },
  { script: "find . -name a.txt -exec echo {} \\; -quit", ours: [1, ""], bash: [0, "./a.txt\n"] },
  { script: "echo x | sort -R", ours: [1, ""], bash: [0, "x\n"] },
  // Different.
  {
    script: "shopt -s globstar; echo sub/**",
    ours: [0, "sub/**\n"],
    bash: [0, "sub/ sub/d.md sub/deep sub/deep/c.txt\n"],
  },
  { script: "env -i sh -c 'echo ${USER-none}'", ours: [0, "workspace\n"], bash: [0, "none\n"] },
  {
    script: "a=(3 1 2); IFS=$'\\n' s=($(sort <<< \"${a[*]}\")); echo ${s[@]}",
    ours: [0, "3 1 2\n"],
    bash: [0, "1 2 3\n"],
  },
  { script: "expr abc : 'a\\(.*\\)'", ours: [1, "0\n"], bash: [0, "bc\n"] },
];
