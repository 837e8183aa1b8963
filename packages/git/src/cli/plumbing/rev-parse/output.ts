/** Formats and prints the results of `git rev-parse`. */
import { GitError } from "../../../errors.ts";
import type { Oid } from "../../../object/oid.ts";
import type { Repository } from "../../../repository.ts";
import { interpretBranchName } from "../../../revision/branch-mark.ts";
import { expandRef } from "../../../revision/expand-ref.ts";
import { findRevision } from "../../../revision/find-revision.ts";
import { shortenRef } from "../../../revision/shorten-ref.ts";
import { shellQuoted } from "./shell-quoted.ts";

export class RevParseOutput {
  showsRevisions = true;
  showsOthers = true;
  showsFlags = true;
  showsNonFlags = true;
  verify = false;
  quiet = false;
  symbolic: "no" | "as-is" | "full" = "no";
  abbreviatedRef: "no" | "strict" | "loose" = "no";
  /** Digits; null: full ids; 0: git's automatic length. */
  abbrev: number | null = null;
  quoted = false;
  optionsEnded = false;
  reversed = false;
  byDefault: string | null = null;
  prefix: string | null = null;
  pathFormat: "default" | "absolute" | "relative" = "default";
  readonly verified: { reversed: boolean; oid: Oid; name: string }[] = [];
  excluded: string[] = [];

  constructor(
    private readonly repo: Repository,
    private readonly out: (text: string) => void,
  ) {}

  /** Prints the text unchanged, whatever the options. */
  line(text: string | null): void {
    if (text !== null) this.out(`${text}\n`);
  }

  show(text: string): void {
    this.out(this.quoted ? `${shellQuoted(text)} ` : `${text}\n`);
  }

  end(): number {
    return 0;
  }

  async revision(reversed: boolean, oid: Oid, name: string | null): Promise<void> {
    if (!this.showsRevisions) return;
    this.byDefault = null;
    const sign = reversed !== this.reversed ? "^" : "";
    if ((this.symbolic !== "no" || this.abbreviatedRef !== "no") && name !== null) {
      const displayed = await this.symbolicName(name);
      if (displayed !== null) this.show(sign + displayed);
      return;
    }
    const text = this.abbrev === null ? oid : await this.repo.odb.abbreviate(oid, this.abbrev || undefined);
    this.show(sign + text);
  }

  private async symbolicName(name: string): Promise<string | null> {
    if (this.symbolic !== "full" && this.abbreviatedRef === "no") return name;
    const branch = await interpretBranchName(this.repo, name);
    const ref = branch === null ? null : await expandRef(this.repo, branch);
    if (!ref) return null;
    if (ref.count > 1) {
      this.repo.warn?.(`refname '${name}' is ambiguous`, "error");
      return null;
    }
    if (this.abbreviatedRef === "no") return ref.resolved;
    return shortenRef(this.repo, ref.resolved, this.abbreviatedRef === "strict");
  }

  /** Returns true if it was printed. */
  flag(text: string): boolean {
    if (!this.showsFlags) return false;
    if (!(isRevisionFlag(text) ? this.showsRevisions : this.showsOthers)) return false;
    this.show(text);
    return true;
  }

  async file(path: string): Promise<boolean> {
    await this.showDefault();
    if (!this.showsNonFlags || !this.showsOthers) return false;
    this.show(this.prefix === null || path === "--" ? path : path.startsWith("/") ? path : `${this.prefix}${path}`);
    return true;
  }

  async showDefault(): Promise<boolean> {
    const name = this.byDefault;
    this.byDefault = null;
    if (name === null) return false;
    const found = await findRevision(this.repo, name);
    if (found) await this.revision(false, found.oid, name);
    return found !== null;
  }

  notSingle(): GitError {
    if (this.quiet) return new GitError("ENOTFOUND", "", { exitCode: 1, prefix: "" });
    return new GitError("ENOTFOUND", "Needed a single revision");
  }
}

const REVISION_FLAGS = new Set(
  "--all --bisect --dense --branches --header --ignore-missing --max-age= --max-count= --min-age= --no-merges --min-parents= --no-min-parents --max-parents= --no-max-parents --objects --objects-edge --parents --pretty --remotes --sparse --tags --topo-order --date-order --unpacked".split(
    " ",
  ),
);

/** Options that select commits, as `rev-list` takes them. */
function isRevisionFlag(text: string): boolean {
  if (/^-(n|\d)/.test(text)) return true;
  const equals = text.indexOf("=");
  if (equals >= 0 && REVISION_FLAGS.has(text.slice(0, equals + 1))) return true;
  return REVISION_FLAGS.has(equals < 0 ? text : text.slice(0, equals));
}
