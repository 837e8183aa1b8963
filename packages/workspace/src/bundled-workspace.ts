/**
 * The workspace with all features: git, the shell and the container connection need not be passed. git and the shell are loaded on
 * first use.
 */
import { openContainer } from "./container/container.ts";
import { loadGit } from "./git/load-git.ts";
import { loadShell } from "./shell/load-shell.ts";
import { Workspace as Core, type WorkspaceOptions } from "./workspace.ts";
import { WorkspaceObject as CoreObject } from "./workspace-object.ts";

export class Workspace extends Core {
  constructor(options: WorkspaceOptions) {
    const { git = loadGit, shell = loadShell, container = openContainer } = options;
    super({ ...options, git, shell, container });
  }
}

export class WorkspaceObject<Env = Cloudflare.Env> extends CoreObject<Env> {
  protected override createWorkspace(options: WorkspaceOptions): Core {
    return new Workspace(options);
  }
}
