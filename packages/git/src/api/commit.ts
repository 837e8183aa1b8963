/** Methods that stage and commit: `init`, `add`, `remove`, `move`, `commit`, `restore`, `reset`, `clean`. */
import type { Oid } from "../object/oid.ts";
import { chooseInitDirectories } from "../porcelain/init.ts";
import { initRepository } from "../repository/init-repository.ts";
import type { Call, CallOptions } from "./call.ts";
import { type Engine, flag, option, paths, refuseOption } from "./engine.ts";

export interface InitOptions extends CallOptions {
  readonly directory?: string;
  readonly bare?: boolean;
  readonly initialBranch?: string;
}

export interface InitResult {
  /** Absolute. */
  readonly gitDir: string;
  /** The repository existed already. */
  readonly existed: boolean;
  /** HEAD's branch in a new repository. */
  readonly branch: string;
}

export async function init(call: Call, options: InitOptions = {}): Promise<InitResult> {
  const { host, open, env } = call;
  const { gitDir, existed, branch } = await initRepository(host, {
    ...chooseInitDirectories(open, options.directory || undefined, options.bare === true),
    ...(options.initialBranch === undefined ? {} : { initialBranch: options.initialBranch }),
    env,
  });
  return { gitDir, existed, branch };
}

export interface AddOptions extends CallOptions {
  readonly paths?: readonly string[];
  /** Everything in the work tree. */
  readonly all?: boolean;
  /** Only tracked files. */
  readonly update?: boolean;
  readonly force?: boolean;
  readonly intentToAdd?: boolean;
}

export async function add(engine: Engine, options: AddOptions): Promise<void> {
  const { all, update, force, intentToAdd } = options;
  const flags = [
    flag("--all", all),
    flag("--update", update),
    flag("--force", force),
    flag("--intent-to-add", intentToAdd),
  ];
  await engine.run(["add", ...flags, ...paths(options.paths)]);
}

export interface RemoveOptions extends CallOptions {
  readonly paths: readonly string[];
  /** Remove from the index only. */
  readonly cached?: boolean;
  readonly recursive?: boolean;
  readonly force?: boolean;
}

export async function remove(engine: Engine, { cached, recursive, force, paths: input }: RemoveOptions): Promise<void> {
  await engine.run([
    "rm",
    "-q",
    flag("--cached", cached),
    flag("-r", recursive),
    flag("--force", force),
    ...paths(input),
  ]);
}

export interface MoveOptions extends CallOptions {
  readonly from: string;
  readonly to: string;
  readonly force?: boolean;
}

export async function move(engine: Engine, { from, to, force }: MoveOptions): Promise<void> {
  await engine.run(["mv", flag("--force", force), "--", from, to]);
}

export interface CommitOptions extends CallOptions {
  readonly message?: string;
  /** Include all changes of tracked files. */
  readonly all?: boolean;
  readonly amend?: boolean;
  readonly allowEmpty?: boolean;
  readonly author?: { readonly name: string; readonly email: string };
  readonly date?: string;
  readonly signoff?: boolean;
  /** Commit only these paths, whatever is staged. */
  readonly paths?: readonly string[];
}

export interface CommitOutcome {
  readonly oid: Oid;
}

export async function commit(engine: Engine, options: CommitOptions): Promise<CommitOutcome> {
  const { message, author } = options;
  await engine.run(
    [
      "commit",
      "-q",
      ...(message === undefined ? ["--no-edit"] : ["--file=-"]),
      flag("--all", options.all),
      flag("--amend", options.amend),
      flag("--allow-empty", options.allowEmpty),
      flag("--signoff", options.signoff),
      option("--date", options.date),
      author && `--author=${author.name} <${author.email}>`,
      ...paths(options.paths),
    ],
    message === undefined ? {} : { stdin: message },
  );
  return { oid: await head(engine) };
}

export async function head(engine: Engine): Promise<Oid> {
  return (await engine.run(["rev-parse", "--verify", "HEAD"])).text.trim() as Oid;
}

export interface RestoreOptions extends CallOptions {
  readonly paths: readonly string[];
  readonly source?: string;
  readonly staged?: boolean;
  readonly worktree?: boolean;
}

export async function restore(
  engine: Engine,
  { source, staged, worktree, paths: input }: RestoreOptions,
): Promise<void> {
  const flags = [option("--source", source), flag("--staged", staged), flag("--worktree", worktree)];
  await engine.run(["restore", "-q", ...flags, ...paths(input)]);
}

export interface ResetOptions extends CallOptions {
  /** Default "mixed". */
  readonly mode?: "soft" | "mixed" | "hard" | "merge" | "keep";
  readonly revision?: string;
  /** Reset only the index entries of these paths. */
  readonly paths?: readonly string[];
}

export async function reset(engine: Engine, { mode, revision, paths: input }: ResetOptions = {}): Promise<void> {
  if (revision !== undefined) refuseOption(revision);
  await engine.run(["reset", "-q", mode && `--${mode}`, revision, ...(input ? paths(input) : ["--"])]);
}

export interface CleanOptions extends CallOptions {
  readonly paths?: readonly string[];
  readonly directories?: boolean;
  /** Also remove ignored files. */
  readonly ignored?: boolean;
  readonly dryRun?: boolean;
}

/** What was removed, or would be; directories end with a slash. */
export async function clean(engine: Engine, options: CleanOptions = {}): Promise<string[]> {
  const { directories, ignored, dryRun } = options;
  const flags = [dryRun ? "-n" : "-f", flag("-d", directories), flag("-x", ignored)];
  const { text } = await engine.run(["-c", "core.quotePath=false", "clean", ...flags, ...paths(options.paths)]);
  return text
    .split("\n")
    .map((line) => /^(?:Removing|Would remove) (.*)$/.exec(line)?.[1])
    .filter((path) => path !== undefined);
}
