/** `workspace[internals]`: what `@cloudflare/fs-tools` and the reference Worker use of a workspace in the same object. */
import type { GrepHit, ToolState } from "@workspace/protocol";
import {
  type FindMapper,
  type FindOptions,
  findMapped,
  type GrepTextOptions,
  grepText,
  type Identity,
  type Lookup,
  lookupPath,
  type WalkVisitor,
  type WriteView,
  walkDirectory,
} from "@workspace/vfs";
import { restrictToolState } from "./tool-state/restricted-tool-state.ts";
import type { WorkspaceCore } from "./workspace-core.ts";

export interface WorkspaceInternals {
  readonly core: WorkspaceCore;
  /** Of this view. */
  readonly volume: WriteView;
  /** The state of the tools, which they themselves cannot access. */
  readonly toolState: ToolState;
  /** Resolves and stats a path synchronously; null when it cannot be resolved. The tools call it before every call. */
  lookupPath(path: string): Lookup | null;
  /** Visits the entries under a directory synchronously, in walk order: the tools show a page of them. */
  walkDirectory(path: string, maxDepth: number, visit: WalkVisitor): void;
  /** The results of `fs.find`, mapped by the caller: the tools show other fields, and no version. */
  findMapped<T>(path: string, options: FindOptions, make: FindMapper<T>): Promise<T[]>;
  /** Searches a text that is not a file by the engine of `fs.grep`: the tools search the contents of proposals. */
  grepText(pattern: string, path: string, bytes: Uint8Array, options?: GrepTextOptions): Promise<GrepHit[]>;
}

export function createInternals(core: WorkspaceCore, volume: WriteView, { actor }: Identity): WorkspaceInternals {
  return {
    core,
    volume,
    get toolState() {
      return volume.rules === null ? core.toolState : restrictToolState(core.toolState, volume, actor);
    },
    lookupPath: (path) => lookupPath(volume, path),
    walkDirectory: (path, maxDepth, visit) => walkDirectory(volume, path, maxDepth, visit),
    findMapped: (path, options, make) => findMapped(volume, path, options, make),
    grepText,
  };
}
