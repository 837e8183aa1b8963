/** The workspace with everything in it: git is there without being passed, and loaded when it is used. */
import { loadGit } from "./git/load-git.ts";
import { Workspace as Core, type WorkspaceOptions } from "./workspace.ts";
import { WorkspaceObject as CoreObject } from "./workspace-object.ts";

export class Workspace extends Core {
  constructor(options: WorkspaceOptions) {
    super({ git: loadGit, ...options });
  }
}

export class WorkspaceObject<Env = Cloudflare.Env> extends CoreObject<Env> {
  protected override createWorkspace(options: WorkspaceOptions): Core {
    return new Workspace(options);
  }
}
