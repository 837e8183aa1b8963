import type { Workspace } from "@cloudflare/workspace";
import { asIsomorphicGitFs } from "@cloudflare/workspace/adapters/isomorphic-git";
import git from "isomorphic-git";
import http from "isomorphic-git/http/web";

export async function cloneAndCommit(workspace: Pick<Workspace, "fs">, url: string): Promise<string> {
  const fs = asIsomorphicGitFs(workspace.fs);
  const dir = "/workspace/project";
  await git.clone({ fs, http, dir, url });
  await workspace.fs.writeFile(`${dir}/NOTES.md`, "# Notes\n");
  await git.add({ fs, dir, filepath: "NOTES.md" });
  return git.commit({ fs, dir, message: "Add notes", author: { name: "Agent", email: "agent@example.com" } });
}
