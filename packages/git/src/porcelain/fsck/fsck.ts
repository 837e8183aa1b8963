/**
 * `git fsck`: reads and checks every object, then follows everything reachable from refs, reflogs and the index. Messages and their
 * order are git's; the last part follows the order of git's own hash table of objects.
 */
import { GitError } from "../../errors.ts";
import { hashObject } from "../../hash/hash-object.ts";
import type { CacheTree } from "../../index/index-file.ts";
import { readIndex } from "../../index/read-index.ts";
import { undoObjects } from "../../index/resolve-undo.ts";
import { MODE_GITLINK } from "../../object/file-mode.ts";
import { fsckObject } from "../../object/fsck-object.ts";
import { objectLinks } from "../../object/object-links.ts";
import { type Oid, ZERO_OID } from "../../object/oid.ts";
import type { GitObjectDatabase } from "../../odb/git-object-database.ts";
import { listAll } from "../../odb/list-all.ts";
import type { GitObject, ObjectType } from "../../odb/object-database.ts";
import { asGitDatabase } from "../../odb/write-pack.ts";
import { isPerWorktree } from "../../refs/ref-files.ts";
import { isRefName } from "../../refs/ref-name.ts";
import type { RefStore } from "../../refs/ref-store.ts";
import { listWorkTrees, refsOf } from "../../repository/work-trees.ts";
import type { Repository } from "../../repository.ts";
import { readShallow } from "../../revision/commit-node.ts";
import { type FsckLevels, fsckLevels } from "./fsck-levels.ts";
import { ObjectOrder } from "./fsck-order.ts";
import { checkIndexSum, checkLoose, checkPack, nameOfLarge, type StoredObject } from "./fsck-store.ts";

export interface FsckOptions {
  readonly unreachable?: boolean;
  /** Default true. */
  readonly dangling?: boolean;
  readonly root?: boolean;
  readonly tags?: boolean;
  /** Default true. */
  readonly reflogs?: boolean;
  readonly staged?: boolean;
  readonly strict?: boolean;
  readonly connectivityOnly?: boolean;
  readonly lostFound?: boolean;
  /** Roots to use instead of all refs. */
  readonly heads?: readonly Oid[];
}

export interface FsckOutput {
  out(line: string): void;
  err(line: string): void;
}

const isTagName = (name: string) => isRefName(`refs/tags/${name}`);

/** Bits of the exit code. */
const BAD_OBJECT = 1;
const BAD_LINK = 2;
const BAD_PACK = 4;
const BAD_REF = 8;

interface ObjectState {
  type: ObjectType;
  here: boolean;
  used: boolean;
  reachable: boolean;
  /** A remote has promised it. */
  promised?: boolean;
  /** The object exists but cannot be read, which matters if its content is searched. */
  corrupt?: boolean;
}

export async function fsck(repo: Repository, options: FsckOptions, reported: FsckOutput): Promise<number> {
  const check = new Fsck(repo, options, reported, await readShallow(repo), await fsckLevels(repo));
  await check.objects();
  await check.roots();
  await check.follow();
  await check.printRest();
  return check.code;
}

class Fsck {
  code = 0;
  readonly #repo: Repository;
  readonly #odb: GitObjectDatabase;
  readonly #options: FsckOptions;
  readonly #reported: FsckOutput;
  readonly #shallow: ReadonlySet<Oid>;
  readonly #known = new Map<Oid, ObjectState>();
  readonly #order = new ObjectOrder();
  readonly #pending: Oid[] = [];
  readonly #levels: FsckLevels;
  /** Packs from a promisor remote. */
  readonly #promisors = new Set<string>();

  constructor(
    repo: Repository,
    options: FsckOptions,
    reported: FsckOutput,
    shallow: ReadonlySet<Oid>,
    levels: FsckLevels,
  ) {
    this.#levels = levels;
    this.#repo = repo;
    this.#odb = asGitDatabase(repo.odb);
    this.#options = options;
    this.#reported = reported;
    this.#shallow = shallow;
  }

  async objects(): Promise<void> {
    for (const { loose } of await this.#odb.sources())
      for await (const oid of loose.list()) await this.#take(oid, await this.#loose(oid, loose.path(oid)), false);
    for (const { packs } of await this.#odb.sources())
      for (const { file } of [...(await packs.packs())]) await this.#pack(file.path);
    for await (const oid of listAll(this.#odb)) {
      const located = await this.#odb.inPack(oid);
      if (located === null) continue;
      const promised = this.#promisors.has(located.pack.file.path);
      await this.#take(oid, await this.#packed(oid), promised);
    }
  }

  /** `promised`: from a promisor remote, which has everything the object leads to. */
  async #take(oid: Oid, object: StoredObject | null, promised: boolean): Promise<void> {
    if (object === null) return;
    const { type, body } = object;
    const known = this.#know(oid, type);
    const isNew = !known.here;
    known.here = true;
    if (object.corrupt) known.corrupt = true;
    if (body === null) return;
    for (const link of this.#links(oid, { type, body })) {
      const target = this.#know(link.oid, link.type);
      target.used = true;
      if (promised) target.promised = true;
    }
    if (isNew && !this.#options.connectivityOnly) this.#check(oid, type, body);
  }

  async #pack(path: string): Promise<void> {
    if (await this.#odb.fs.exists(path.replace(/pack$/, () => "promisor"))) this.#promisors.add(path);
    if (this.#options.connectivityOnly) return;
    const holds = await checkPack(this.#odb, path, this.#displayed(path), (fault) =>
      this.#reported.err(`error: ${fault}`),
    );
    if (!holds) this.code |= BAD_PACK;
  }

  #check(oid: Oid, type: ObjectType, body: Uint8Array): void {
    for (const fault of fsckObject(type, body, this.#options.strict === true, isTagName)) {
      const { id, text } = fault;
      const level = this.#levels.of(oid, fault);
      if (level === null) continue;
      this.#reported.err(`${level} in ${type} ${oid}: ${id}: ${text}`);
      if (level !== "error") continue;
      this.code |= BAD_OBJECT;
      // After an error in a tag, its other faults are not reported.
      if (type === "tag") break;
    }
    if (this.#options.root && type === "commit" && this.#links(oid, { type, body }).length === 1)
      this.#reported.out(`root ${oid}`);
    if (this.#options.tags && type === "tag") this.#printTag(oid, body);
  }

  #printTag(oid: Oid, body: Uint8Array): void {
    const [link] = objectLinks("tag", body);
    const name = /^tag (.*)$/m.exec(new TextDecoder().decode(body))?.[1];
    if (link !== undefined) this.#reported.out(`tagged ${link.type} ${link.oid} (${name}) in ${oid}`);
  }

  async #loose(oid: Oid, path: string): Promise<StoredObject | null> {
    if (this.#options.connectivityOnly) return this.#unchecked(oid);
    const print = (fault: string) => this.#reported.err(`error: ${fault}`);
    const object = await checkLoose(this.#odb, oid, path, this.#displayed(path), print);
    if (object === null) this.code |= BAD_OBJECT;
    return object;
  }

  /** Only needs the object's links. */
  async #unchecked(oid: Oid): Promise<StoredObject | null> {
    try {
      const header = await this.#odb.header(oid);
      if (header === null || header.type === "blob") return header && { type: "blob", body: null };
      return await this.#odb.need(oid);
    } catch (error) {
      if (!(error instanceof GitError) || error.code !== "ECORRUPT") throw error;
      return { type: "blob", body: null, corrupt: true };
    }
  }

  async #packed(oid: Oid): Promise<StoredObject | null> {
    if (this.#options.connectivityOnly) return this.#unchecked(oid);
    try {
      const header = await this.#odb.header(oid);
      const isLarge = header?.type === "blob" && header.size > this.#odb.limits.wholeObject;
      const object: StoredObject = isLarge ? { type: "blob", body: null } : await this.#odb.need(oid);
      const name =
        object.body === null
          ? await nameOfLarge(this.#odb, oid, header?.size ?? 0)
          : hashObject(object.type, object.body);
      if (name === oid) return object;
      this.#reported.err(`error: packed ${oid} is corrupt`);
    } catch (error) {
      if (!(error instanceof GitError) || error.code !== "ECORRUPT") throw error;
      const inner = error.cause instanceof Error ? error.cause.message : null;
      if (inner !== null) this.#reported.err(`error: inflate: data stream error (${inner})`);
      this.#reported.err(`error: ${oid}: ${error.message}`);
    }
    this.code |= BAD_OBJECT;
    return null;
  }

  async roots(): Promise<void> {
    const { refs } = this.#repo;
    const { heads } = this.#options;
    if (heads !== undefined) {
      for (const head of heads) this.#start(head);
      return;
    }
    const head = await refs.resolve("HEAD");
    if (head?.oid === null && head.name.startsWith("refs/heads/"))
      this.#reported.err(`notice: HEAD points to an unborn branch (${head.name.replace(/^refs\/heads\//, () => "")})`);
    const broken: string[] = [];
    const all = await refs.list("refs/", { broken: (name) => broken.push(name) });
    await this.#checkHead();
    if (head?.oid && head.oid !== ZERO_OID) this.#startRef("HEAD", head.oid);
    for (const name of broken) this.#startRef(name, ZERO_OID);
    for (const { name, oid } of all) if (name !== "HEAD") this.#startRef(name, oid);
    if (all.length === 0 && !head?.oid) this.#reported.err("notice: No default references");
    if (this.#options.reflogs ?? true) await this.#startReflogs(refs, await refs.reflogNames());
    await this.#startOtherWorkTrees();
    await this.#startStaged();
  }

  async #checkHead(): Promise<void> {
    const head = await this.#repo.refs.read("HEAD");
    let complaint: string | null = null;
    if (head?.kind === "symbolic" && !head.target.startsWith("refs/heads/"))
      complaint = `HEAD points to something strange (${head.target})`;
    if (head?.kind === "oid" && head.oid === ZERO_OID) complaint = "HEAD: detached HEAD points at nothing";
    if (complaint === null) return;
    this.#reported.err(`error: ${complaint}`);
    this.code |= BAD_REF;
  }

  #startRef(name: string, oid: Oid): void {
    const known = this.#known.get(oid);
    if (known?.here && known.type !== "commit" && (name === "HEAD" || name.startsWith("refs/heads/"))) {
      this.#reported.err(`error: ${name}: not a commit`);
      this.code |= BAD_REF;
    }
    if (known?.here) return this.#start(oid);
    if (known?.promised) return;
    this.#reported.err(`error: ${name}: invalid sha1 pointer ${oid}`);
    this.code |= BAD_LINK;
  }

  /** HEADs and reflogs of the other work trees; branches are shared. */
  async #startOtherWorkTrees(): Promise<void> {
    for (const tree of await listWorkTrees(this.#repo)) {
      if (tree.isCurrent || !tree.isWhole) continue;
      const refs = refsOf(this.#repo, tree);
      const head = await refs.resolve("HEAD");
      const id = tree.gitDir.slice(tree.gitDir.lastIndexOf("/") + 1);
      const name = tree.gitDir.includes("/worktrees/") ? `worktrees/${id}/HEAD` : "main-worktree/HEAD";
      if (head?.oid) this.#startRef(name, head.oid);
      else if (head === null) {
        this.#reported.err(`error: invalid ${name}`);
        this.code |= BAD_REF;
      }
      if (this.#options.reflogs ?? true)
        await this.#startReflogs(refs, (await refs.reflogNames()).filter(isPerWorktree));
    }
  }

  async #startReflogs(refs: RefStore, names: readonly string[]): Promise<void> {
    for (const name of names) {
      for (const { from, to } of await refs.reflog(name)) {
        for (const oid of [from, to]) {
          if (oid === ZERO_OID) continue;
          const known = this.#known.get(oid);
          if (known?.here) {
            known.used = true;
            this.#start(oid);
          } else if (!known?.promised) {
            this.#reported.err(`error: ${name}: invalid reflog entry ${oid}`);
            this.code |= BAD_LINK;
          }
        }
      }
    }
  }

  async #startStaged(): Promise<void> {
    await checkIndexSum(this.#repo);
    const index = await readIndex(this.#repo);
    const staged = index.entries.filter(({ mode }) => mode !== MODE_GITLINK).map(({ oid }) => oid);
    for (const oid of [...staged, ...undoObjects(index)]) {
      this.#know(oid, "blob").used = true;
      this.#start(oid);
    }
    if (index.tree !== null) this.#startCacheTree(index.tree);
  }

  #startCacheTree({ oid, entries, children }: CacheTree): void {
    if (oid !== null && entries >= 0) {
      const known = this.#known.get(oid);
      if (known?.here) {
        known.used = true;
        this.#start(oid);
      } else {
        this.#reported.err(`error: ${oid}: invalid sha1 pointer in cache-tree`);
        this.code |= BAD_REF;
      }
    }
    for (const child of children.values()) this.#startCacheTree(child);
  }

  #start(oid: Oid): void {
    const known = this.#know(oid, "blob");
    if (known.reachable) return;
    known.reachable = true;
    if (known.here) this.#pending.push(oid);
  }

  async follow(): Promise<void> {
    for (let oid = this.#pending.pop(); oid !== undefined; oid = this.#pending.pop()) {
      const { type } = this.#known.get(oid) as ObjectState;
      if (type === "blob") continue;
      for (const link of this.#links(oid, await this.#odb.need(oid))) {
        const target = this.#know(link.oid, link.type);
        if (target.reachable) continue;
        target.reachable = true;
        if (target.here && !(target.corrupt && link.type !== "blob")) this.#pending.push(link.oid);
        else if (!target.promised) {
          this.#reported.out(
            `broken link from ${type.padStart(7)} ${oid}\n              to ${link.type.padStart(7)} ${link.oid}`,
          );
          this.code |= BAD_LINK;
        }
      }
    }
  }

  async printRest(): Promise<void> {
    const { unreachable, dangling = true, lostFound } = this.#options;
    for (const oid of this.#order.oids()) {
      const { type, here, used, reachable, promised } = this.#known.get(oid) as ObjectState;
      if (promised && !here) continue;
      if (reachable && !here) {
        this.#reported.out(`missing ${type} ${oid}`);
        this.code |= BAD_LINK;
      } else if (!reachable && here && unreachable) this.#reported.out(`unreachable ${type} ${oid}`);
      else if (!reachable && here && !used) {
        if (dangling) this.#reported.out(`dangling ${type} ${oid}`);
        if (lostFound) await this.#keepLost(oid, type);
      }
    }
  }

  async #keepLost(oid: Oid, type: ObjectType): Promise<void> {
    const path = `${this.#repo.gitDir}/lost-found/${type === "commit" ? "commit" : "other"}/${oid}`;
    const content = type === "blob" ? (await this.#odb.need(oid)).body : `${oid}\n`;
    await this.#repo.fs.writeMany([{ path, content }]);
  }

  #links(oid: Oid, { type, body }: GitObject) {
    const links = objectLinks(type, body);
    return type === "commit" && this.#shallow.has(oid) ? links.filter((link) => link.type !== "commit") : links;
  }

  #know(oid: Oid, type: ObjectType): ObjectState {
    this.#order.visit(oid);
    const known = this.#known.get(oid);
    if (known !== undefined) return known;
    const created: ObjectState = { type, here: false, used: false, reachable: false };
    this.#known.set(oid, created);
    return created;
  }

  #displayed(path: string): string {
    const { gitDir, displayGitDir } = this.#repo;
    return displayGitDir === undefined ? path : `${displayGitDir}${path.slice(gitDir.length)}`;
  }
}
