/**
 * The diff below a commit of `git log`: what the commit is compared with, and whether a commit without a diff is shown. Merges have
 * their own modes: no comparison, each parent, the first parent, or all at once.
 */

import { combinedPaths } from "../../../diff/diff-combined.ts";
import { diffDefaults } from "../../../diff/diff-options.ts";
import { diffTrees } from "../../../diff/diff-trees.ts";
import type { DiffResult } from "../../../diff/run-diffcore.ts";
import { GitError } from "../../../errors.ts";
import type { Oid } from "../../../object/oid.ts";
import { writeLineRangeChange } from "../../../patch/line-log-text.ts";
import { OutputBuffer } from "../../../patch/output-buffer.ts";
import { writeCombined } from "../../../patch/patch-combined.ts";
import { writeDiff } from "../../../patch/patch-writer.ts";
import type { Pathspec } from "../../../pathspec/pathspec.ts";
import { FollowedFile } from "../../../porcelain/log/followed-file.ts";
import type { LineLog } from "../../../porcelain/log/trace-lines.ts";
import { remergeDiff } from "../../../porcelain/merge/remerge-diff.ts";
import type { Graph } from "../../../pretty/graph.ts";
import type { LogPrinter } from "../../../pretty/log-printer.ts";
import type { Repository } from "../../../repository.ts";
import { commitTreeOid } from "../../../revision/peel.ts";
import { textWidth } from "../../../text/text-width.ts";
import type { LogFlags } from "../../flags/log-flags.ts";
import type { MergeMode } from "../../flags/merge-diff-mode.ts";
import { mergeMode } from "../../flags/merge-diff-mode.ts";
import type { ReadDiffOptions } from "../../flags/read-diff-options.ts";
import { readDiffOptions } from "../../flags/read-diff-options.ts";
import type { CommandContext } from "../../framework/command.ts";
import type { ParsedFlagSubset } from "../../framework/flag-table.ts";
import { terminalColumns } from "../diff/show-diff.ts";
import type { LogWalkCommit } from "./log-walk.ts";

export interface LogDiffDefaults {
  /** The default format: `show` prints the patch, `whatchanged` raw. */
  readonly format?: "patch" | "raw";
  readonly merges?: MergeMode;
  /** Omits commits without a diff. */
  readonly onlyWithDiff?: boolean;
}

const STATISTICS = ["numstat", "stat", "shortstat", "summary", "dirstat"] as const;

export class LogDiff {
  readonly options: ReadDiffOptions;
  readonly #repo: Repository;
  readonly #merges: MergeMode;
  /** Shows merges even if they took the paths unchanged from one parent. */
  readonly needsMerges: boolean;
  /** Compares every commit, not only merges. */
  readonly #all: boolean;
  readonly #onlyWithDiff: boolean;
  readonly #showRoot: boolean;
  readonly #columns: number;
  /** `--follow`. */
  readonly #followed: FollowedFile | null;
  /** `-L`: its result is shown instead of a comparison. */
  lines: LineLog | null = null;

  private constructor(
    repo: Repository,
    options: ReadDiffOptions,
    setup: {
      merges: MergeMode;
      needsMerges: boolean;
      all: boolean;
      onlyWithDiff: boolean;
      followed: FollowedFile | null;
      root: boolean;
      columns: number;
    },
  ) {
    this.options = options;
    this.#repo = repo;
    this.#merges = setup.merges;
    this.needsMerges = setup.needsMerges;
    this.#all = setup.all;
    this.#onlyWithDiff = setup.onlyWithDiff;
    this.#followed = setup.followed;
    this.#columns = setup.columns;
    this.#showRoot = setup.root || (repo.config.getBool("log.showroot") ?? true);
  }

  static async read(
    context: CommandContext,
    repo: Repository,
    parsed: ParsedFlagSubset<LogFlags>,
    pathspec: Pathspec,
    defaults: LogDiffDefaults = {},
  ): Promise<LogDiff> {
    const { config } = repo;
    const { flags } = parsed;
    const options = await readDiffOptions(context, repo, config, parsed, diffDefaults(config));
    if (flags.ignoreCase && options.pickaxe) options.pickaxe = { ...options.pickaxe, ignoreCase: true };
    if (options.rotate) options.rotate = { ...options.rotate, strict: false };
    const { mode, implied, needsMerges } = mergeMode(repo, parsed, defaults.merges ?? "none");
    // `--quiet` suppresses only the default format.
    if (flags.noDiff && options.formats.size === 0) options.formats.add("none");
    const explicit = options.formats.size > 0;
    if (!explicit && implied !== "no") options.formats.add("patch");
    else if (!explicit && defaults.format !== undefined) options.formats.add(defaults.format);
    const followed = follows(repo, parsed, pathspec) ? new FollowedFile(repo, pathspec.items[0]?.match ?? "") : null;
    const searches = options.pickaxe !== null || options.filter !== null || followed !== null;
    options.pathspec = flags.fullDiff || pathspec.isEmpty ? null : pathspec;
    options.showTrees = flags.showTrees === true;
    options.combinedAllPaths = flags.combinedAllPaths === true;
    const onlyWithDiff = searches || defaults.onlyWithDiff === true;
    // Skips comparisons without output, unless they decide which commits are shown.
    const requested = options.formats.has("none") ? onlyWithDiff : true;
    const all = requested && (explicit || defaults.format !== undefined || implied === "all" || searches);
    const merges = all || (requested && implied !== "no") ? mode : "none";
    const root = flags.root === true;
    const columns = terminalColumns(context);
    return new LogDiff(repo, options, { merges, needsMerges, all, onlyWithDiff, followed, root, columns });
  }

  /** True if no commit is ever compared. */
  get isIdle(): boolean {
    return !this.#all && this.#merges === "none";
  }

  /** True if commits without a diff are omitted. */
  get leavesOut(): boolean {
    return this.#onlyWithDiff;
  }

  get #isDisplayed(): boolean {
    const { formats } = this.options;
    return formats.size > 0 && !formats.has("none");
  }

  /** Writes the commit, then its diff; returns false if the commit is omitted. */
  async show(printer: LogPrinter, commit: LogWalkCommit, graph: Graph | null): Promise<boolean> {
    const plain = this.lines === null && this.isIdle;
    const displayed = plain ? false : await this.#compare(printer, commit, graph);
    if (displayed || this.#onlyWithDiff) return displayed;
    await printer.show(commit);
    return true;
  }

  async #compare(printer: LogPrinter, commit: LogWalkCommit, graph: Graph | null): Promise<boolean> {
    const { comparedWith: parents } = commit;
    if (this.lines !== null) return this.#writeLines(printer, commit, this.lines);
    if (this.isIdle) return false;
    if (parents.length > 1) return this.#compareMerge(printer, commit, graph);
    if (!this.#all || (parents.length === 0 && !this.#showRoot)) return false;
    return this.#write(printer, commit, graph, parents[0] ?? null);
  }

  async #writeLines(printer: LogPrinter, commit: LogWalkCommit, lines: LineLog): Promise<boolean> {
    await printer.show(commit);
    if (this.options.formats.has("none")) return true;
    const sink = new OutputBuffer(printer.diffWriter());
    sink.text("\n");
    for (const change of lines.changesOf(commit.oid))
      writeLineRangeChange(sink, change, { ...this.options, linePrefix: "" });
    sink.flush();
    return true;
  }

  async #compareMerge(printer: LogPrinter, commit: LogWalkCommit, graph: Graph | null): Promise<boolean> {
    const { comparedWith: parents } = commit;
    switch (this.#merges) {
      case "none":
        return false;
      case "first-parent":
        return this.#write(printer, commit, graph, parents[0] as Oid);
      case "separate": {
        let shown = false;
        for (const parent of parents) {
          shown = (await this.#write(printer, { ...commit, from: parent }, graph, parent)) || shown;
        }
        return shown;
      }
      case "remerge":
        return this.#remerge(printer, commit, graph);
      case "combined":
      case "dense":
        return this.#writeCombined(printer, commit, graph);
      default:
        return this.#merges satisfies never;
    }
  }

  async #write(printer: LogPrinter, commit: LogWalkCommit, graph: Graph | null, parent: Oid | null): Promise<boolean> {
    const before = parent === null ? null : await this.#treeOf(parent);
    return this.#writeFound(printer, commit, graph, await this.#diffOf(before, commit.commit.tree));
  }

  async #remerge(printer: LogPrinter, commit: LogWalkCommit, graph: Graph | null): Promise<boolean> {
    const [ours, theirs, ...others] = commit.comparedWith as [Oid, Oid, ...Oid[]];
    if (others.length === 0) {
      const diff = await remergeDiff(this.#repo, [ours, theirs], commit.commit.tree, this.options);
      return this.#writeFound(printer, commit, graph, diff);
    }
    await printer.show(commit);
    printer.plain("diff: warning: Skipping remerge-diff for octopus merges.\n");
    return true;
  }

  async #writeFound(
    printer: LogPrinter,
    commit: LogWalkCommit,
    graph: Graph | null,
    diff: DiffResult,
  ): Promise<boolean> {
    if ((diff.inPatch ?? diff.pairs).length === 0) return false;
    await printer.show(commit);
    if (!this.#isDisplayed) return true;
    const { formats } = this.options;
    printer.beforeDiff(formats.has("stat") && formats.has("patch"));
    await this.#writeDiff(printer, diff, graph);
    return true;
  }

  async #diffOf(before: Oid | null, after: Oid): Promise<DiffResult> {
    const { options } = this;
    return this.#followed?.diff(before, after, options) ?? diffTrees(this.#repo, before, after, options);
  }

  async #writeDiff(
    printer: LogPrinter,
    diff: DiffResult,
    graph: Graph | null,
    formats = this.options.formats,
  ): Promise<void> {
    // git takes a line from the graph to measure its width; that line is never printed.
    const wide = graph !== null && formats.has("stat");
    const columns = this.#columns - (wide ? textWidth(graph.paddingLine()) : 0);
    await writeDiff(printer.diffWriter(), diff, { ...this.options, linePrefix: "", formats }, { columns });
  }

  /** Shows the commit even if nothing differs from all parents. */
  async #writeCombined(printer: LogPrinter, commit: LogWalkCommit, graph: Graph | null): Promise<boolean> {
    const { options } = this;
    const { formats } = options;
    const trees = await Promise.all(commit.comparedWith.map((parent) => this.#treeOf(parent)));
    const combined: ReadDiffOptions = {
      ...options,
      linePrefix: "",
      combined: this.#merges === "dense" ? "dense" : "combined",
    };
    const paths = await combinedPaths(this.#repo, commit.commit.tree, trees, combined);
    await printer.show(commit);
    if (!this.#isDisplayed) return true;
    printer.beforeCombinedDiff();
    const statistics = STATISTICS.filter((one) => formats.has(one));
    if (statistics.length > 0) {
      const diff = await diffTrees(this.#repo, trees[0] ?? null, commit.commit.tree, options);
      await this.#writeDiff(printer, diff, graph, new Set(statistics));
    }
    await writeCombined(printer.diffWriter(), this.#repo, paths, combined, { separate: statistics.length > 0 });
    return true;
  }

  async #treeOf(commit: Oid): Promise<Oid> {
    return commitTreeOid((await this.#repo.odb.need(commit, "commit")).body);
  }
}

/** Whether to follow renames: `--follow`, or `log.follow` with one path. `--full-diff` leaves no path to follow. */
export function follows({ config }: Repository, { flags }: ParsedFlagSubset<LogFlags>, { items }: Pathspec): boolean {
  const requested = flags.follow ?? (items.length === 1 && (config.getBool("log.follow") ?? false));
  if (requested && (items.length !== 1 || flags.fullDiff))
    throw new GitError("EINVAL", "--follow requires exactly one pathspec");
  return requested;
}
