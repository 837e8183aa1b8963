/**
 * Revisions of a command line, in order: `a`, `^a`, `a..b`, `a...b`, `a^@`, `a^!`, `a^-`, and the options that name many refs.
 * `--not` inverts the meaning of what follows; `--exclude` applies only to the next option of refs.
 */
import { GitError } from "../errors.ts";
import { type Oid, ZERO_OID } from "../object/oid.ts";
import type { ObjectType } from "../odb/object-database.ts";
import { isPerWorktree } from "../refs/ref-files.ts";
import type { Ref, RefStore } from "../refs/ref-store.ts";
import { listWorkTrees, refsOf } from "../repository/work-trees.ts";
import type { Repository } from "../repository.ts";
import { hasGlob, wildmatch } from "../text/wildmatch.ts";
import { parseCommitNode } from "./commit-node.ts";
import { findRevision, type ResolvedRevision } from "./find-revision.ts";
import { mergeBases } from "./merge-base.ts";
import { peelTags } from "./peel.ts";
import type { Tip } from "./walk-options.ts";

/** An object named on the command line: a tip of the walk if it leads to a commit. */
export interface NamedObject {
  readonly oid: Oid;
  readonly type: ObjectType;
  /** The target of tags. */
  readonly peeled: Oid;
  readonly peeledType: ObjectType;
  readonly uninteresting: boolean;
  readonly left: boolean;
  readonly name: string;
  readonly path?: string;
  readonly mode?: number;
}

export type RefGroup = "all" | "branches" | "tags" | "remotes" | "glob";

export class RevisionArguments {
  readonly objects: NamedObject[] = [];
  /** `a...b` was among them. */
  symmetric = false;
  /** Something was named, even if it is empty (`--branches` in an empty repository). */
  input = false;
  private negated = false;
  private excluded: string[] = [];

  constructor(
    private readonly repo: Repository,
    private readonly options: { readonly ignoreMissing?: boolean; readonly singleWorktree?: boolean } = {},
  ) {}

  /** The commits to walk from. */
  get tips(): Tip[] {
    return this.objects
      .filter(({ peeledType }) => peeledType === "commit")
      .map(({ peeled, uninteresting, left, name }) => ({ oid: peeled, uninteresting, left, name }));
  }

  not(): void {
    this.negated = !this.negated;
  }

  exclude(pattern: string): void {
    this.excluded.push(pattern);
  }

  /** False: not a revision. */
  async revision(text: string): Promise<boolean> {
    if (await this.range(text)) return true;
    const plus = /^(.+?)\^(@|!|-(\d*))$/s.exec(text);
    if (plus && (await this.parents(plus[1] as string, plus[2] as string, plus[3]))) return true;
    const negative = text.startsWith("^");
    const name = negative ? text.slice(1) : text;
    const found = await findRevision(this.repo, name, { wanted: "committish" });
    if (!found) return false;
    await this.add(found, name, negative !== this.negated);
    return true;
  }

  /** A known id, under a name. */
  async object(oid: Oid, name: string, { left = false, negative = false } = {}): Promise<void> {
    await this.add({ oid }, name, negative !== this.negated, left);
  }

  async refs(group: RefGroup, pattern?: string): Promise<void> {
    this.input = true;
    const { refs } = this.repo;
    const list = await refs.list(group === "all" || group === "glob" ? "refs/" : PREFIX[group], {
      broken(name) {
        throw new GitError("ECORRUPT", `bad object ${displayFor(group, name)}`);
      },
    });
    const excluded = this.excluded.splice(0);
    for (const ref of matching(list, group, pattern)) {
      if (excluded.some((exclude) => wildmatch(exclude, displayFor(group, ref.name)))) continue;
      await this.addRef({ ...ref, name: displayFor(group, ref.name) });
    }
    if (group !== "all") return;
    const head = await refs.resolve("HEAD");
    if (head?.oid && !excluded.some((exclude) => wildmatch(exclude, "HEAD"))) {
      await this.addRef({ name: "HEAD", oid: head.oid });
    }
    for (const other of await this.#otherRefs()) {
      const oid = (await other.resolve("HEAD"))?.oid;
      if (oid) await this.addRef({ name: "HEAD", oid });
    }
  }

  /** Of the other work trees. */
  async #otherRefs(): Promise<RefStore[]> {
    if (this.options.singleWorktree) return [];
    const others = (await listWorkTrees(this.repo)).filter(({ isCurrent, isWhole }) => !isCurrent && isWhole);
    return others.map((tree) => refsOf(this.repo, tree));
  }

  /** `--reflog`: everything that any reflog names. */
  async reflogs(): Promise<void> {
    this.input = true;
    const { refs: own, odb } = this.repo;
    for (const refs of [own, ...(await this.#otherRefs())]) {
      for (const name of await refs.reflogNames()) {
        if (refs !== own && !isPerWorktree(name)) continue;
        for (const { from, to } of await refs.reflog(name)) {
          for (const oid of [from, to]) {
            if (oid !== ZERO_OID && (await odb.has(oid))) await this.add({ oid }, "", this.negated);
          }
        }
      }
    }
  }

  private async range(text: string): Promise<boolean> {
    const dots = text.indexOf("..");
    if (dots < 0 || text === "..") return false;
    const symmetric = text[dots + 2] === ".";
    const a = text.slice(0, dots) || "HEAD";
    const b = text.slice(dots + (symmetric ? 3 : 2)) || "HEAD";
    const from = await findRevision(this.repo, a, { wanted: "committish", quiet: true });
    const to = from && (await findRevision(this.repo, b, { wanted: "committish", quiet: true }));
    if (!from || !to) return false;
    const [start, end] = [await this.needed(from, text), await this.needed(to, text)];
    if (!symmetric) {
      this.push({ ...start, name: a, uninteresting: !this.negated, left: false });
      this.push({ ...end, name: b, uninteresting: this.negated, left: false });
      return true;
    }
    if (start.peeledType !== "commit" || end.peeledType !== "commit") return false;
    this.symmetric = true;
    for (const base of await mergeBases(this.repo, start.peeled, [end.peeled])) {
      this.push({ ...plainCommit(base), name: base, uninteresting: !this.negated, left: false });
    }
    this.push({ ...start, name: a, uninteresting: this.negated, left: true });
    this.push({ ...end, name: b, uninteresting: this.negated, left: false });
    return true;
  }

  private async parents(name: string, kind: string, number: string | undefined): Promise<boolean> {
    const negative = name.startsWith("^");
    const found = await findRevision(this.repo, negative ? name.slice(1) : name, { wanted: "committish" });
    const end = found && (await peelTags(this.repo, found.oid));
    if (!found || end?.type !== "commit") return false;
    const { parents } = parseCommitNode(end.oid, (await this.repo.odb.need(end.oid, "commit")).body);
    const turned = negative !== this.negated;
    if (kind === "@") {
      for (const parent of parents) this.push({ ...plainCommit(parent), name, uninteresting: turned, left: false });
      this.input = true;
      return true;
    }
    const which = kind === "!" ? null : number === "" || number === undefined ? 1 : Number(number);
    if (which !== null && (which < 1 || which > parents.length)) return false;
    const out = which === null ? parents : [parents[which - 1] as Oid];
    for (const parent of out) this.push({ ...plainCommit(parent), name, uninteresting: !turned, left: false });
    await this.add({ oid: found.oid }, name, turned);
    return true;
  }

  private async needed(
    { oid, ...position }: ResolvedRevision,
    text: string,
  ): Promise<Omit<NamedObject, "name" | "uninteresting" | "left">> {
    const header = await this.repo.odb.header(oid);
    if (!header) {
      const what = text.includes("...") ? "Invalid symmetric difference expression" : "Invalid revision range";
      throw new GitError("ENOTFOUND", `${what} ${text}`);
    }
    const end = await peelTags(this.repo, oid);
    return { ...position, oid, type: header.type, peeled: end?.oid ?? oid, peeledType: end?.type ?? header.type };
  }

  private async addRef({ name, oid, peeled }: Ref): Promise<void> {
    // packed-refs has the peeled value of a tag; a database read for each of many refs would be slow.
    if (peeled && (await this.repo.odb.has(oid))) {
      const end = await this.repo.odb.header(peeled);
      if (end) {
        const found = { oid, type: "tag" as const, peeled, peeledType: end.type };
        this.push({ ...found, uninteresting: this.negated, left: false, name });
        return;
      }
    }
    await this.add({ oid }, name, this.negated);
  }

  private async add(found: ResolvedRevision, name: string, uninteresting: boolean, left = false): Promise<void> {
    this.input = true;
    const header = await this.repo.odb.header(found.oid);
    if (!header) {
      if (this.options.ignoreMissing) return;
      throw new GitError("ENOTFOUND", `bad object ${name}`);
    }
    const end = header.type === "tag" ? await peelTags(this.repo, found.oid) : { oid: found.oid, type: header.type };
    if (!end) {
      if (uninteresting) return;
      throw new GitError("ECORRUPT", `bad object ${name}`);
    }
    this.push({ ...found, type: header.type, peeled: end.oid, peeledType: end.type, uninteresting, left, name });
  }

  private push(object: NamedObject): void {
    this.input = true;
    this.objects.push(object);
  }
}

const PREFIX = { branches: "refs/heads/", tags: "refs/tags/", remotes: "refs/remotes/" } as const;

function plainCommit(oid: Oid) {
  return { oid, type: "commit" as const, peeled: oid, peeledType: "commit" as const };
}

/** A pattern without a glob matches everything under it. */
function matching(list: readonly Ref[], group: RefGroup, pattern: string | undefined): readonly Ref[] {
  if (pattern === undefined) return list;
  const prefix = group === "all" ? "" : group === "glob" ? (pattern.startsWith("refs/") ? "" : "refs/") : PREFIX[group];
  const whole = `${prefix}${pattern}`;
  const glob = hasGlob(pattern) ? whole : `${whole.replace(/\/$/, "")}/*`;
  return list.filter(({ name }) => wildmatch(glob, name));
}

/** The name that `--exclude` is compared with: short for `--branches`, full for `--all` and `--glob`. */
function displayFor(group: RefGroup, name: string): string {
  if (group === "all" || group === "glob") return name;
  return name.slice(PREFIX[group].length);
}
