/**
 * Creates a workspace. The registry decides which of two concurrent requests gets the name; an unlisted name that has files
 * (created through a binding) is taken too. A failed clone leaves nothing listed, and reports git's error.
 */
import { type FileSystem, FsError, getWorkspace } from "@cloudflare/workspace";
import type { CreateBody, WorkspaceInfo } from "../api/workspaces.ts";
import type { Env } from "../env.ts";
import { HttpError } from "../errors/http-error.ts";
import { ROOT } from "../http/workspace-path.ts";
import { registryStub } from "../registry/registry-stub.ts";

export async function createWorkspace(env: Env, actor: string, { name, from }: CreateBody): Promise<WorkspaceInfo> {
  const registry = registryStub(env);
  const source = from !== undefined && "git" in from ? from : null;
  const taken = () =>
    new HttpError("EEXIST", `there is a workspace "${name}" already`, { hint: "Choose another name." });
  if (!(await registry.add(name, source === null ? null : withoutCredentials(source.git)))) throw taken();
  const workspace = getWorkspace(env.WORKSPACE, name, { actor });
  if (!(await isEmpty(workspace.fs))) throw taken();
  if (source === null) {
    await workspace.fs.mkdir(ROOT, { recursive: true });
  } else {
    const { branch, depth, git } = source;
    const options = [
      ...(branch === undefined ? [] : [`--branch=${branch}`]),
      ...(depth === undefined ? [] : [`--depth=${depth}`]),
    ];
    const { exitCode, stderr } = await workspace.git.cli({ argv: ["clone", ...options, "--", git, "."], cwd: ROOT });
    if (exitCode !== 0) {
      if (await isEmpty(workspace.fs)) await registry.remove(name);
      throw cloneFailed(new TextDecoder().decode(stderr));
    }
  }
  return (await registry.get(name)) as WorkspaceInfo;
}

async function isEmpty(fs: FileSystem): Promise<boolean> {
  try {
    return (await fs.scan(ROOT, { limit: 1 })).length === 0;
  } catch (error) {
    if (error instanceof FsError && error.code === "ENOENT") return true;
    throw error;
  }
}

function cloneFailed(stderr: string): HttpError {
  const reported = stderr.trim().split("\n").slice(-3).join(" ").slice(0, 500);
  return new HttpError("UPSTREAM", `git clone: ${reported}`, {
    hint: "Check the address and the branch, and try again.",
  });
}

/** Every token can list workspaces. A query may hold a token, too. */
function withoutCredentials(git: string): string {
  const url = new URL(git);
  url.username = "";
  url.password = "";
  url.search = "";
  url.hash = "";
  return url.href;
}
