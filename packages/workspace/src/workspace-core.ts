/**
 * The composition root of a workspace: its volume, and everything that all of its views share in this isolate. Made once for a
 * storage, because two would not know of each other's locks, syncs and commands.
 */
import type { GitOptions } from "@workspace/git";
import type { SharedExecutions } from "@workspace/shell";
import { openVolume, type ReadView, type VolumeStore, type WriteView } from "@workspace/vfs";
import type { ContainerFactory, ContainerOptions, WorkspaceContainer } from "./container/container.ts";
import { SqlToolState } from "./tool-state/sql-tool-state.ts";

/** git's locks belong to the repository, its caches to the view. */
export type GitShared = Required<Pick<GitOptions, "locks" | "sharedCache">>;

const cores = new WeakMap<VolumeStore, WorkspaceCore>();

/** The volume of a storage is one, and so is its core. */
export function openCore(storage: DurableObjectStorage, options: Parameters<typeof openVolume>[1]): WorkspaceCore {
  const volume = openVolume(storage, options);
  const core = cores.get(volume.store) ?? new WorkspaceCore(volume);
  cores.set(volume.store, core);
  return core;
}

export class WorkspaceCore {
  /** Of an unrestricted principal. */
  readonly volume: WriteView;
  /** The running commands, once the shell is loaded. */
  readonly executions: SharedExecutions = {};
  /** Open polls of `watch` over RPC, by their ids. */
  readonly polls = new Map<string, Disposable>();
  /** File handles and directories that clients hold open. */
  readonly targets = { open: 0 };
  readonly #locks: GitShared["locks"] = new Map();
  readonly #git = new WeakMap<ReadView, GitShared>();
  #toolState: SqlToolState | undefined;
  #container: WorkspaceContainer | null = null;

  constructor(volume: WriteView) {
    this.volume = volume;
  }

  get toolState(): SqlToolState {
    return (this.#toolState ??= new SqlToolState(this.volume.store));
  }

  /** `view`: the present or the past, restricted or not. */
  gitShared(view: ReadView): GitShared {
    let shared = this.#git.get(view);
    if (shared === undefined) this.#git.set(view, (shared = { locks: this.#locksOf(view), sharedCache: {} }));
    return shared;
  }

  /** The past is read only: its locks are its own. */
  #locksOf(view: ReadView): GitShared["locks"] {
    const { unrestricted } = view;
    if (unrestricted === this.volume) return this.#locks;
    return unrestricted === view ? new Map() : this.gitShared(unrestricted).locks;
  }

  /** The first connection stays. */
  connect(open: ContainerFactory, options: ContainerOptions): WorkspaceContainer {
    return (this.#container ??= open(this.volume, options));
  }
}
