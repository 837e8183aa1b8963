/** One call's view of a workspace: with the caller's identity, and what came with the call besides its arguments. */
import type { Git } from "@workspace/git";
import type { WorkspaceCall } from "@workspace/protocol";
import type { SearchableFileSystem } from "@workspace/vfs";
import type { Workspace } from "../workspace.ts";

export interface CallContext extends Pick<WorkspaceCall, "body" | "filter"> {
  readonly workspace: Workspace;
  /** Of the present, or of the point in time that the call names. */
  readonly fs: SearchableFileSystem;
  readonly git: Git;
}
