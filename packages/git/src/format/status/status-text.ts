/** The long format of `git status`, which a commit without changes also prints. */
import { adviceEnabled } from "../../config/advice.ts";
import { type Tracking, trackingText } from "../../porcelain/status/branch-tracking.ts";
import { type Status, type StatusCode, type StatusEntry, stageMask } from "../../porcelain/status/collect-status.ts";
import type { DetachedFrom, OperationState } from "../../porcelain/status/operation-state.ts";
import type { Repository } from "../../repository.ts";
import { quotePath, quotesFully } from "../../text/quote-path.ts";
import { relativePath } from "../../text/relative-path.ts";
import { painter, type StatusSlot, statusColors } from "./status-colors.ts";
import { printProgress } from "./status-progress.ts";

export interface StatusReport extends Status {
  /** "main"; null: HEAD is detached. */
  readonly branch: string | null;
  readonly detached: DetachedFrom | null;
  readonly tracking: Tracking | null;
  readonly state: OperationState;
  /** 0: none, or not counted. */
  readonly stashes: number;
  /** Abbreviated ids of the commits that `state` mentions. */
  readonly short?: (oid: string) => string;
}

export interface StatusTextOptions {
  untracked: "no" | "normal" | "all";
  ignored: "no" | "traditional" | "matching";
  /** Paths relative to the repository's prefix. */
  relative?: boolean;
  showStash?: boolean;
  /** For a commit: its inputs. */
  amend?: boolean;
  /** The base of staged changes; default "HEAD". */
  reference?: string;
  /** "Initial commit" instead of "No commits yet". */
  template?: boolean;
  /** Prefix every line with "#" (`status.displayCommentPrefix`). */
  commentPrefix?: boolean;
  /** Lines before the final message. */
  patches?: string;
  /** Omit the final message if there is nothing to commit. */
  quietEnd?: boolean;
  /** Prints untracked and ignored files in columns. */
  columns?: ((names: readonly string[], line: { indent: string; end: string }) => string) | null;
}

export function statusText(repo: Repository, report: StatusReport, options: StatusTextOptions): string {
  const text = new LongStatus(repo, report, options);
  return text.write();
}

const LABELS: Readonly<Record<StatusCode, string>> = {
  " ": "",
  M: "modified:",
  T: "typechange:",
  A: "new file:",
  D: "deleted:",
  R: "renamed:",
  C: "copied:",
  U: "unmerged:",
};
const LABEL_WIDTH = 12;
const CONFLICT_LABELS = [
  "",
  "both deleted:",
  "added by us:",
  "deleted by them:",
  "added by them:",
  "deleted by us:",
  "both added:",
  "both modified:",
];
const CONFLICT_WIDTH = 17;

/** Something is staged, or a merge has no conflicts left. */
export function isCommittable({ entries, state }: StatusReport): boolean {
  const isStaged = entries.some(({ staged, stages }) => staged !== " " && stages === undefined);
  return isStaged || (state.merge && entries.every(({ stages }) => stages === undefined));
}

class LongStatus {
  #text = "";
  readonly #colors;
  readonly #paint;
  readonly #hints: boolean;
  readonly #full: boolean;
  readonly #unmerged: readonly StatusEntry[];
  readonly #staged: readonly StatusEntry[];
  readonly #changed: readonly StatusEntry[];

  constructor(
    private readonly repo: Repository,
    private readonly report: StatusReport,
    private readonly options: StatusTextOptions,
  ) {
    this.#colors = statusColors(repo.config);
    this.#paint = painter(this.#colors);
    this.#hints = adviceEnabled(repo.config, "statusHints");
    this.#full = quotesFully(repo.config);
    this.#unmerged = report.entries.filter(({ stages }) => stages !== undefined);
    this.#staged = report.entries.filter(({ staged, stages }) => staged !== " " && stages === undefined);
    this.#changed = report.entries.filter(({ unstaged, stages }) => unstaged !== " " && stages === undefined);
  }

  write(): string {
    this.#branch();
    const { state, short = (oid: string) => oid } = this.report;
    const progress = {
      unmerged: this.#unmerged.length > 0,
      amend: this.options.amend ?? false,
      edited: this.#changed.length > 0,
      gitDir: this.repo.displayGitDir ?? ".git",
      short,
      line: (text: string) => this.#line(text),
      hint: (text: string) => this.#hint(text),
      gap: () => {
        this.#text += "\n";
      },
    };
    printProgress(state, progress);
    if (this.report.head === null) {
      this.#line("");
      this.#line(this.options.template ? "Initial commit" : "No commits yet");
      this.#line("");
    }
    this.#stagedSection();
    this.#unmergedSection();
    this.#changedSection();
    const { untracked, ignored } = this.options;
    if (untracked !== "no") {
      this.#others("Untracked files", "add", this.report.untracked);
      if (ignored !== "no") this.#others("Ignored files", "add -f", this.report.ignored);
    } else if (this.#isCommittable) {
      this.#line(`Untracked files not listed${this.#hints ? " (use -u option to show untracked files)" : ""}`);
    }
    this.#text += this.options.patches ?? "";
    this.#end();
    const { stashes } = this.report;
    if (this.options.showStash && stashes > 0) {
      this.#line(`Your stash currently has ${stashes} ${stashes === 1 ? "entry" : "entries"}`);
    }
    return this.#text;
  }

  get #isCommittable(): boolean {
    return isCommittable(this.report);
  }

  #line(text: string): void {
    this.#text += `${this.#paint("header", this.#commented(text))}\n`;
  }

  /** A path with its description. */
  #entry(slot: StatusSlot, text: string): void {
    this.#text += `${this.#paint("header", this.#commented("\t"))}${this.#paint(slot, text)}\n`;
  }

  /** An empty line without color. */
  #gap(): void {
    this.#text += `${this.#commented("")}\n`;
  }

  #commented(text: string): string {
    if (!this.options.commentPrefix) return text;
    return text === "" || text.startsWith("\t") ? `#${text}` : `# ${text}`;
  }

  #hint(text: string): void {
    if (this.#hints) this.#line(`  (${text})`);
  }

  #branch(): void {
    const { branch, detached, state, tracking, head } = this.report;
    if (branch !== null) this.#where("header", "On branch ", branch);
    else if (state.rebase) {
      const kind = state.rebase.interactive ? "interactive rebase" : "rebase";
      this.#where("noBranch", `${kind} in progress; onto `, state.rebase.onto ?? "");
    } else if (detached) this.#where("noBranch", `HEAD detached ${detached.at ? "at" : "from"} `, detached.name);
    else this.#where("noBranch", "Not currently on any branch.", "");
    if (tracking === null || head === null) return;
    for (const line of trackingText(this.repo, tracking).trimEnd().split("\n")) this.#line(line);
    if (this.options.commentPrefix) this.#line("");
    else this.#gap();
  }

  #where(slot: StatusSlot, text: string, name: string): void {
    const start = this.#paint("header", this.options.commentPrefix ? "# " : "");
    this.#text += `${start}${this.#paint(slot, text)}${this.#paint("branch", name)}\n`;
  }

  #stagedSection(): void {
    if (this.#staged.length === 0) return;
    this.#line("Changes to be committed:");
    this.#unstageHint();
    for (const entry of this.#staged) {
      const name =
        entry.from === undefined ? this.#path(entry.path) : `${this.#path(entry.from)} -> ${this.#path(entry.path)}`;
      this.#entry("updated", `${LABELS[entry.staged].padEnd(LABEL_WIDTH)}${name}`);
    }
    this.#line("");
  }

  #unstageHint(): void {
    const { state, head } = this.report;
    const { reference = "HEAD" } = this.options;
    if (state.merge || state.cherryPick?.oid || state.cherryPick?.stopped) return;
    if (head === null) this.#hint('use "git rm --cached <file>..." to unstage');
    else if (reference === "HEAD") this.#hint('use "git restore --staged <file>..." to unstage');
    else this.#hint(`use "git restore --source=${reference} --staged <file>..." to unstage`);
  }

  #unmergedSection(): void {
    if (this.#unmerged.length === 0) return;
    this.#line("Unmerged paths:");
    this.#unstageHint();
    const masks = this.#unmerged.map(({ stages }) => stageMask(stages ?? []));
    const bothDeleted = masks.includes(1);
    const deleteModify = masks.some((mask) => mask === 3 || mask === 5);
    const other = masks.some((mask) => mask === 2 || mask === 4 || mask >= 6);
    if (deleteModify || (bothDeleted && other))
      this.#hint('use "git add/rm <file>..." as appropriate to mark resolution');
    else this.#hint(`use "git ${bothDeleted ? "rm" : "add"} <file>..." to mark resolution`);
    this.#unmerged.forEach(({ path }, i) => {
      const label = CONFLICT_LABELS[masks[i] as number] as string;
      this.#entry("unmerged", `${label.padEnd(CONFLICT_WIDTH)}${this.#path(path)}`);
    });
    this.#line("");
  }

  #changedSection(): void {
    if (this.#changed.length === 0) return;
    this.#line("Changes not staged for commit:");
    const how = this.#changed.some(({ unstaged }) => unstaged === "D") ? "add/rm" : "add";
    this.#hint(`use "git ${how} <file>..." to update what will be committed`);
    this.#hint('use "git restore <file>..." to discard changes in working directory');
    for (const { path, unstaged, newCommits, from, renamedInWork } of this.#changed) {
      const name =
        renamedInWork && from !== undefined ? `${this.#path(from)} -> ${this.#path(path)}` : this.#path(path);
      this.#entry("changed", `${LABELS[unstaged].padEnd(LABEL_WIDTH)}${name}${newCommits ? " (new commits)" : ""}`);
    }
    this.#line("");
  }

  #others(title: string, how: string, paths: readonly string[]): void {
    if (paths.length === 0) return;
    this.#line(`${title}:`);
    this.#hint(`use "git ${how} <file>..." to include in what will be committed`);
    const { columns } = this.options;
    if (columns) {
      const [on, off] = this.#colors("untracked");
      const indent = this.#colors("header")[0] + this.#commented("\t") + on;
      const names = paths.map((path) => this.#path(path));
      this.#text += columns(names, { indent, end: `${off}\n` });
    } else for (const path of paths) this.#entry("untracked", this.#path(path));
    this.#gap();
  }

  #path(path: string): string {
    const displayed = this.options.relative === false ? path : relativePath(path, this.repo.prefix);
    return quotePath(displayed, { full: this.#full });
  }

  #end(): void {
    if (this.#isCommittable || this.options.quietEnd) return;
    if (this.options.amend) {
      this.#line("No changes");
      return;
    }
    const hinted = (text: string, hint: string) => {
      this.#text += this.#hints ? `${text} (${hint})\n` : `${text}\n`;
    };
    if (this.#changed.length > 0 || this.#unmerged.length > 0) {
      hinted("no changes added to commit", 'use "git add" and/or "git commit -a"');
    } else if (this.report.untracked.length > 0) {
      hinted("nothing added to commit but untracked files present", 'use "git add" to track');
    } else if (this.report.head === null) hinted("nothing to commit", 'create/copy files and use "git add" to track');
    else if (this.options.untracked === "no") hinted("nothing to commit", "use -u to show untracked files");
    else this.#text += "nothing to commit, working tree clean\n";
  }
}
