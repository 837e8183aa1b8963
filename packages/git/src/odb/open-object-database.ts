/** Opens the database of a repository: its loose objects and packs, then those of its alternates, then the promisor remote. */
import { createWorkBudget, type WorkBudget } from "@workspace/protocol";
import type { FileSystem } from "@workspace/vfs";
import type { GitConfig } from "../config/git-config.ts";
import { defaultGitLimits, type GitLimits } from "../limits.ts";
import { MemoryBudget } from "../memory/memory-budget.ts";
import type { Oid } from "../object/oid.ts";
import { GitObjectDatabase } from "./git-object-database.ts";
import type { PackCache } from "./pack-cache.ts";

/** The file system itself or the host's; the objects directory, or its git directory. */
type OpenObjectDatabaseOptions = (
  | { readonly fs: FileSystem; readonly host?: undefined }
  | { readonly host: { readonly fs: FileSystem }; readonly fs?: undefined }
) &
  (
    | { readonly gitDir: string; readonly objectsDir?: undefined }
    | { readonly objectsDir: string; readonly gitDir?: string }
  ) & {
    /** For GIT_ALTERNATE_OBJECT_DIRECTORIES. */
    readonly env?: Readonly<Record<string, string>>;
    readonly limits?: Partial<GitLimits>;
    /** core.compression, core.looseCompression and core.abbrev are read from it. */
    readonly config?: GitConfig;
    /** For a partial clone: fetches these into the database; what is missing afterwards does not exist. */
    readonly promisor?: (oids: readonly Oid[]) => Promise<void>;
    readonly memory?: MemoryBudget;
    /** As in `GitHost`. */
    readonly work?: WorkBudget | undefined;
    /** Packs still open from the previous command. */
    readonly cache?: PackCache | null;
  };

export function openObjectDatabase(options: OpenObjectDatabaseOptions): GitObjectDatabase {
  const limits = { ...defaultGitLimits, ...options.limits };
  return new GitObjectDatabase({
    fs: options.fs ?? options.host.fs,
    objects: options.objectsDir ?? `${options.gitDir}/objects`,
    alternates: (options.env?.GIT_ALTERNATE_OBJECT_DIRECTORIES ?? "").split(":").filter((path) => path !== ""),
    limits,
    memory: options.cache?.memory ?? options.memory ?? new MemoryBudget(limits.memory),
    work: options.work ?? unlimitedWork(),
    config: options.config,
    promisor: options.promisor,
    packCache: options.cache ?? undefined,
  });
}

/** Pauses, and ends when the signal is aborted. git's work is bounded by its input: see `limits.ts`. */
export function unlimitedWork(signal?: AbortSignal): WorkBudget {
  const [steps, stretchSteps] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
  return createWorkBudget({ steps, stretchSteps }, signal);
}
