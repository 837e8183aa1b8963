/** Commits of every branch, newest first, with author, time and refs. */
import { runGitOrThrow } from "../api/git.ts";

export interface Commit {
  oid: string;
  parents: string[];
  author: string;
  /** Milliseconds since 1970. */
  time: number;
  /** Refs that point here: "HEAD -> main", "origin/main", "tag: v1". */
  refs: string[];
  subject: string;
}

const FORMAT = "%H%x00%P%x00%an%x00%at%x00%D%x00%s";

export async function readCommits(workspace: string, count: number, signal?: AbortSignal): Promise<Commit[]> {
  const argv = ["log", "--all", "--topo-order", `--max-count=${count}`, `--format=${FORMAT}`];
  return parseCommits(await runGitOrThrow(workspace, argv, { signal }));
}

function parseCommits(text: string): Commit[] {
  return text
    .split("\n")
    .filter(Boolean)
    .map((line) => {
      const [oid = "", parents = "", author = "", seconds = "0", refs = "", subject = ""] = line.split("\0");
      const list = (words: string, between: string) => words.split(between).filter(Boolean);
      return {
        oid,
        parents: list(parents, " "),
        author,
        time: Number(seconds) * 1000,
        refs: list(refs, ", "),
        subject,
      };
    });
}

/** The paths that a commit changed, against its first parent. */
export async function readCommitChanges(workspace: string, commit: Commit, signal?: AbortSignal) {
  const [parent] = commit.parents;
  const range = parent === undefined ? ["--root", commit.oid] : [parent, commit.oid];
  const argv = ["diff-tree", "-r", "-z", "-M", "--no-commit-id", "--name-status", ...range];
  return parseNameStatus(await runGitOrThrow(workspace, argv, { signal }));
}

function parseNameStatus(text: string): { letter: string; path: string; from?: string }[] {
  const words = text.split("\0").filter(Boolean);
  const changes: { letter: string; path: string; from?: string }[] = [];
  for (let i = 0; i < words.length; ) {
    const letter = (words[i++] as string)[0] as string;
    const first = words[i++] ?? "";
    if (letter === "R" || letter === "C") changes.push({ letter, from: first, path: words[i++] ?? "" });
    else changes.push({ letter, path: first });
  }
  return changes;
}
