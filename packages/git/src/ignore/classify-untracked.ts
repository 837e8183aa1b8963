/**
 * Classifies unstaged entries as untracked or ignored, for `status`, `add`, `clean` and `ls-files`: directories without staged
 * entries are shown as one, empty ones not at all, nested repositories are not entered.
 */
import type { FileStat } from "@workspace/vfs";
import type { Pathspec } from "../pathspec/pathspec.ts";
import type { Repository } from "../repository.ts";
import { compareText } from "../text/bytes.ts";
import type { Ignores } from "./ignores.ts";

export interface SurveyOptions {
  /** "normal": a directory as one, with a slash; "all": every file. */
  untracked: "normal" | "all";
  /**
   * "traditional": directories of ignored files as one (with "normal"), "matching": paths that a rule matches, not their
   * contents.
   */
  ignored?: "no" | "traditional" | "matching";
  /** Also show empty directories (`clean -d`, `ls-files --directory`). */
  emptyDirectories?: boolean;
  pathspec?: Pathspec;
  /** Which ignored paths to report in `named`: those that the user named explicitly. */
  isNamed?: (path: string) => boolean;
}

export interface UntrackedPaths {
  /** In byte order; a directory ends with a slash. */
  readonly untracked: string[];
  readonly ignored: string[];
  readonly named: string[];
}

interface SurveyedEntry {
  readonly path: string;
  readonly stat: FileStat;
}

type PathState = "none" | "ignored" | "untracked";

type SurveySource = Pick<Repository, "fs"> & { readonly workTree: string };

/** `ignores` must have loaded the .gitignore of the directories of `unstaged`. */
export async function classifyUntracked(
  repo: SurveySource,
  unstaged: readonly SurveyedEntry[],
  ignores: Ignores,
  options: SurveyOptions,
): Promise<UntrackedPaths> {
  const surveyor = new UntrackedWalk(repo, ignores, options);
  for (const entry of unstaged) await surveyor.visit(entry, false);
  surveyor.untracked.sort(compareText);
  surveyor.ignored.sort(compareText);
  surveyor.named.sort(compareText);
  return surveyor;
}

class UntrackedWalk implements UntrackedPaths {
  untracked: string[] = [];
  ignored: string[] = [];
  named: string[] = [];
  readonly #pathspec: Pathspec | undefined;

  constructor(
    private readonly repo: SurveySource,
    private readonly ignores: Ignores,
    private readonly options: SurveyOptions,
  ) {
    this.#pathspec = options.pathspec?.isEmpty ? undefined : options.pathspec;
  }

  /** `inIgnored`: a directory above is. */
  async visit({ path, stat }: SurveyedEntry, inIgnored: boolean): Promise<PathState> {
    const isDirectory = stat.type === "dir";
    const ignored = inIgnored || this.ignores.verdict(path, isDirectory).ignored;
    if (ignored && this.options.isNamed?.(path)) this.named.push(path);
    if (isDirectory) return this.#directory(path, ignored);
    if (this.#pathspec !== undefined && !this.#pathspec.matches(path, { quiet: ignored && !this.#showsIgnored }))
      return "none";
    if (!ignored) {
      this.untracked.push(path);
      return "untracked";
    }
    if (this.#showsIgnored) this.ignored.push(path);
    return "ignored";
  }

  get #showsIgnored(): boolean {
    return (this.options.ignored ?? "no") !== "no";
  }

  async #directory(path: string, ignored: boolean): Promise<PathState> {
    const pathspec = this.#pathspec;
    if (pathspec !== undefined && !pathspec.mayMatchUnder(path)) return "none";
    if (ignored && !this.#showsIgnored) return "none";
    const whole = pathspec === undefined || pathspec.matches(path, { isDirectory: true, quiet: true });
    if (ignored && this.options.ignored === "matching") {
      this.ignored.push(`${path}/`);
      return "ignored";
    }
    if (await this.#isRepository(path)) {
      if (!whole) return "none";
      pathspec?.matches(path, { isDirectory: true });
      (ignored ? this.ignored : this.untracked).push(`${path}/`);
      return ignored ? "ignored" : "untracked";
    }
    // An ignored directory is reported as one, whichever part of it was requested.
    const collapses = this.options.untracked === "normal" && (whole || ignored);
    if (collapses && this.options.emptyDirectories && !this.#showsIgnored) {
      pathspec?.matches(path, { isDirectory: true });
      this.untracked.push(`${path}/`);
      return "untracked";
    }
    const before = [this.untracked.length, this.ignored.length] as const;
    const state = await this.#inside(path, ignored, collapses && !this.#showsIgnored);
    if (!collapses || (state === "none" && !this.options.emptyDirectories)) return state;
    if (state === "ignored" && this.options.ignored !== "traditional") return state;
    pathspec?.matches(path, { isDirectory: true });
    if (state === "ignored") {
      this.ignored.length = before[1];
      this.ignored.push(`${path}/`);
      return state;
    }
    this.untracked.length = before[0];
    this.untracked.push(`${path}/`);
    return "untracked";
  }

  /** The strongest classification of its contents; `any` stops at the first untracked entry. */
  async #inside(path: string, ignored: boolean, any: boolean): Promise<PathState> {
    const entries = await this.repo.fs.scan(`${this.repo.workTree}/${path}`).catch(() => []);
    if (entries.some(({ name, stat }) => name === this.ignores.fileName && stat.type !== "dir"))
      await this.ignores.load([`${path}/`]);
    let state: PathState = "none";
    const directories: SurveyedEntry[] = [];
    // Files first: one of them may save a walk.
    for (const { name, stat } of entries) {
      const entry = { path: `${path}/${name}`, stat };
      if (stat.type === "dir") {
        if (name !== ".git") directories.push(entry);
        continue;
      }
      state = stronger(state, await this.visit(entry, ignored));
      if (any && state === "untracked") return state;
    }
    for (const entry of directories) {
      state = stronger(state, await this.visit(entry, ignored));
      if (any && state === "untracked") return state;
    }
    return state;
  }

  async #isRepository(path: string): Promise<boolean> {
    const { fs, workTree } = this.repo;
    const git = `${workTree}/${path}/.git`;
    const stat = await fs.lstat(git).catch(() => null);
    if (stat === null) return false;
    if (stat.type === "dir") return (await fs.exists(`${git}/HEAD`)) && (await fs.exists(`${git}/objects`));
    return (await fs.readFile(git, "utf8").catch(() => "")).startsWith("gitdir: ");
  }
}

function stronger(a: PathState, b: PathState): PathState {
  if (a === "untracked" || b === "untracked") return "untracked";
  return a === "ignored" || b === "ignored" ? "ignored" : "none";
}
