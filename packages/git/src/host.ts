/**
 * Everything that the host injects into the engine: files, a clock, a network, credentials. The engine depends on neither Durable
 * Objects nor Node, so it runs the same in both.
 */
import type { WorkBudget } from "@workspace/protocol";
import type { DetachedContentStore, FileSystem, Fingerprinted } from "@workspace/vfs";
import type { GitLimits } from "./limits.ts";
import type { CommandCache } from "./repository/git-cache.ts";

/**
 * The files. Two optional capabilities make git faster: fingerprints, which validate caches between commands, and contents that are
 * written before their files are known, which a clone uses.
 */
export type GitFileSystem = FileSystem & Partial<Fingerprinted> & Partial<DetachedContentStore>;

export interface GitHost {
  readonly fs: GitFileSystem;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /**
   * Offset in minutes east of Greenwich at a moment, in seconds since 1970; default always 0. `TZ` in the environment takes
   * precedence.
   */
  readonly timezone?: (seconds: number) => number;
  /** Absent: no network, and remotes are refused. */
  readonly fetch?: typeof fetch;
  /** Looked up by origin: a function, or a map for fixed credentials. */
  readonly credentials?: CredentialSource | Readonly<Record<string, Credential>>;
  /** Runs a command line in a shell, for `rebase --exec`; absent: such commands are refused. */
  readonly run?: RunCommandLine;
  /** Default identity when flags, environment and configuration give none. */
  readonly identity?: { readonly name: string; readonly email: string };
  readonly limits?: Partial<GitLimits>;
  /** Counts a command's work, yields to other requests and enforces limits; default: no limit, only `signal` ends it. */
  readonly work?: WorkBudget;
  /** Aborts the running command. */
  readonly signal?: AbortSignal | undefined;
  /** Marks lock files, so that a lock of a dead incarnation is recognized; absent: locks are as git's, and stay. */
  readonly epoch?: string;
  /** Releases the repository lock during a long operation; set by `createGit`. */
  readonly releaseWhile?: <T>(work: () => Promise<T>) => Promise<T>;
  /** Cache from earlier commands; set by `createGit`. */
  readonly cache?: CommandCache;
}

export type RunCommandLine = (request: {
  readonly command: string;
  /** The top of the work tree. */
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
}) => Promise<{ readonly exitCode: number; readonly stdout: Uint8Array; readonly stderr: Uint8Array }>;

/**
 * Called on the host's side with the origin that the request really goes to (after `insteadOf`, and again for every redirect that
 * changes it). Its result is never written anywhere.
 */
export type CredentialSource = (request: {
  readonly origin: string;
  readonly url: string;
  /** The user name in the URL, if any. */
  readonly username?: string | undefined;
  /** The server rejected the previous credentials. */
  readonly rejected?: boolean;
}) => Promise<Credential | null> | Credential | null;

export type Credential = { readonly username: string; readonly password: string } | { readonly bearer: string };
