/** Push, pull and fetch, with git's progress. */
import { runGitOrThrow, streamGit } from "../api/git.ts";
import type { GitStatus } from "./read-status.ts";

export type RemoteAction = "push" | "pull" | "fetch";

export async function remoteAction(
  workspace: string,
  action: RemoteAction,
  status: GitStatus,
  onText: (text: string) => void,
): Promise<void> {
  await streamGit(workspace, gitArgv(action, status, await firstRemote(workspace)), onText);
}

/** Null: there is none. */
export async function firstRemote(workspace: string): Promise<string | null> {
  const names = (await runGitOrThrow(workspace, ["remote"])).split("\n").filter(Boolean);
  return names.includes("origin") ? "origin" : (names[0] ?? null);
}

function gitArgv(action: RemoteAction, { upstream }: GitStatus, remote: string | null): string[] {
  if (action === "fetch") return ["fetch", "--progress", "--all", "--prune"];
  if (action === "pull") return ["pull", "--progress", "--no-rebase"];
  // The first push of a branch sets its upstream.
  return upstream === null ? ["push", "--progress", "-u", remote ?? "origin", "HEAD"] : ["push", "--progress"];
}

/** The current line of git's progress, which git rewrites repeatedly. */
export function lastLine(text: string): string {
  return (
    text
      .split(/[\r\n]/)
      .filter((line) => line.trim() !== "")
      .at(-1) ?? ""
  );
}
