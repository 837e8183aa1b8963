/** The workspace with everything in it: git and the shell are there without being passed, and loaded when they are used. */
import { loadGit } from "./git/load-git.ts";
import { loadShell } from "./shell/load-shell.ts";
import { Workspace as Core, type WorkspaceOptions } from "./workspace.ts";
import { WorkspaceObject as CoreObject } from "./workspace-object.ts";

export class Workspace extends Core {
  constructor(options: WorkspaceOptions) {
    super({ ...options, git: options.git ?? loadGit, shell: options.shell ?? loadShell });
  }
}

export class WorkspaceObject<Env = Cloudflare.Env> extends CoreObject<Env> {
  protected override createWorkspace(options: WorkspaceOptions): Core {
    return new Workspace(options);
  }
}
