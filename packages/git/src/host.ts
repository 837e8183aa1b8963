/**
 * What the engine is given by whoever runs it, and nothing else: files, a clock, a network, credentials. It knows no Durable
 * Object and no Node, so it runs the same in both.
 */
import type { WorkBudget } from "@workspace/protocol";
import type { FileSystem } from "@workspace/vfs";
import type { CommandCache } from "./git-cache.ts";
import type { GitLimits } from "./limits.ts";

export interface GitHost {
  readonly fs: FileSystem;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Minutes east of Greenwich at a moment, in seconds since 1970; default always 0. Not for `TZ` in the environment, which wins. */
  readonly timezone?: (seconds: number) => number;
  /** Absent: there is no network, and a remote is refused. */
  readonly fetch?: typeof fetch;
  /** Asked by origin: a function, or a map for those that do not change. */
  readonly credentials?: CredentialSource | Readonly<Record<string, Credential>>;
  /** Runs a command line in a shell, for `rebase --exec`; absent: such commands are refused. */
  readonly run?: RunCommandLine;
  /** Who commits when flags, environment and configuration say nothing. */
  readonly identity?: { readonly name: string; readonly email: string };
  readonly limits?: Partial<GitLimits>;
  /** Counts the work of a command, lets others run meanwhile, and ends it; default: no limit of its own, ended by `signal`. */
  readonly work?: WorkBudget;
  /** Ends what is under way when it is aborted. */
  readonly signal?: AbortSignal | undefined;
  /** Marks lock files, so that one of a dead incarnation can be told from a live one; absent: locks are as git's, and stay. */
  readonly epoch?: string;
  /** Lets other commands at the repository while something runs that may take long; put in by `createGit`. */
  readonly releaseWhile?: <T>(work: () => Promise<T>) => Promise<T>;
  /** What is kept from earlier commands, for the one that runs; put in by `createGit`. */
  readonly cache?: CommandCache;
}

export type RunCommandLine = (request: {
  readonly command: string;
  /** The top of the work tree. */
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
}) => Promise<{ readonly exitCode: number; readonly stdout: Uint8Array; readonly stderr: Uint8Array }>;

/**
 * Asked on the host's side with the origin the request really goes to (after `insteadOf`, and again for every redirect that
 * changes it). What it answers is never written anywhere.
 */
export type CredentialSource = (request: {
  readonly origin: string;
  readonly url: string;
  /** The user name in the URL, when there is one. */
  readonly username?: string | undefined;
  /** The server refused what was given last time. */
  readonly rejected?: boolean;
}) => Promise<Credential | null> | Credential | null;

export type Credential = { readonly username: string; readonly password: string } | { readonly bearer: string };
