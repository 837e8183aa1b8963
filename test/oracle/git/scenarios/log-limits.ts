/** What limits a log of lines (`-L`) or of whole commits (`--full-diff`): dates, names, counts, and histories with merges. */
import type { Scenario, Step } from "../scenario.ts";

function commits(count: number): Step[] {
  return Array.from({ length: count }, (_, i): Step[] => [
    { write: { f: `a\nb\nx${i}\nc\nd\n`, g: `${i}\n` } },
    "git add .",
    { git: ["commit", "-q", "-m", `c${i} line`], env: { GIT_AUTHOR_NAME: `A${i % 2}` } },
  ]).flat();
}

/** The commits are 180 seconds apart, the first at 1700000180. */
const lines: Step[] = ["git init -q -b main", ...commits(6)];

const merged: Step[] = [
  "git init -q -b main",
  ...commits(3),
  "git switch -q -c side HEAD~1",
  { write: { k: "k\n", f: "9\n" } },
  "git add .",
  "git commit -q -m side",
  { write: { k: "kk\n" } },
  "git commit -q -a -m 'k alone'",
  "git switch -q main",
  "git merge -q -s ours -m merge side",
];

const LIMITS = [
  "--before=1700000700",
  "--until=1700000700 --since=1700000400",
  "--since=1700000400 -n1",
  "--since-as-filter=1700000400",
  "--author=A1",
  "--author=A0 --before=1700000800 --graph",
  "--grep=c3",
  "--invert-grep --grep=c3",
  "-n2",
  "--skip=1 -n1 --before=1700000800",
  "--max-count=0",
  "--reverse --before=1700000700",
  "--max-parents=0",
  "--before=1700000700 HEAD~1",
  "--before=1700000700 HEAD~4..",
  "--before=1700000100",
];

const FORMATS = ["-p", "--stat", "--name-only", "--raw", "-c", "--cc", "-m -p", "--summary", "--remerge-diff"];

export const logLimits: Scenario[] = [
  {
    name: "log -L with limits follows lines through commits that are not shown",
    steps: [
      ...lines,
      ...LIMITS.map((limit) => `git log --format=%s -L3,3:f ${limit}`),
      "git log --format=%s -s -L3,3:f --before=1700000700",
      "git log --format=%s -L3,3:f --before=1700000700 -- f",
    ],
  },
  {
    name: "log --full-diff shows whole commits, compared with the parents they have",
    steps: [
      ...merged,
      ...FORMATS.flatMap((format) =>
        ["", "--graph", "--parents", "--full-history", "--full-history --graph", "--first-parent"].map(
          (shape) => `git log --format=%s ${format} --full-diff ${shape} -- f`,
        ),
      ),
      "git log --format=%s -p --full-diff --follow f",
      "git -c log.follow=true log --format=%s -p --full-diff f",
      "git log --format=%s -p --full-diff --graph -S k -- f",
      "git log --format=%s -p --full-diff -- k",
      "git log --children --graph f",
      "git log --children --parents f",
      "git rev-list --children --simplify-merges HEAD f",
    ],
  },
  {
    name: "whatchanged follows all parents",
    steps: [
      ...merged,
      "git whatchanged --format=%s -- k",
      "git whatchanged --format=%s --graph -- k",
      "git whatchanged --format=%s --full-diff -- k",
      "git whatchanged --format=%s --first-parent -- k",
      "git whatchanged --format=%s -n2 --skip=1 -- f",
      "git whatchanged --format='%s %p' --parents -- k f",
      "git whatchanged --format=%s --simplify-merges -- k",
    ],
  },
];
