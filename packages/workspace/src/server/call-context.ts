/** One call's view of a workspace: who asks is stamped already, and what came with the call beside its arguments. */
import type { Git } from "@workspace/git";
import type { WorkspaceCall } from "@workspace/protocol";
import type { SearchableFileSystem } from "@workspace/vfs";
import type { Workspace } from "../workspace.ts";

export interface CallContext extends Pick<WorkspaceCall, "body" | "filter"> {
  readonly workspace: Workspace;
  /** The present's, or those of the moment that the call names. */
  readonly fs: SearchableFileSystem;
  readonly git: Git;
}
