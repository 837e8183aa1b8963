/**
 * `git fsck`: every object is read and checked, then everything that refs, reflogs and the index lead to is followed. What is
 * told, and in what order, is git's; the order of the last part is that of git's own hash table of objects.
 */
import { GitError } from "../errors.ts";
import { hashObject } from "../hash/hash-object.ts";
import { fsckObject } from "../object/fsck-object.ts";
import { objectLinks } from "../object/object-links.ts";
import type { GitObject, ObjectType } from "../object-database.ts";
import type { GitObjectDatabase, ObjectSource } from "../odb/git-object-database.ts";
import { listAll } from "../odb/list-all.ts";
import { asGitDatabase } from "../odb/write-pack.ts";
import { type Oid, ZERO_OID } from "../oid.ts";
import type { Repository } from "../repository.ts";
import { readShallow } from "../revision/commit-node.ts";
import type { CachedTree } from "../staging/index-file.ts";
import { readIndex } from "../staging/read-index.ts";
import { undoObjects } from "../staging/resolve-undo.ts";
import { ObjectOrder } from "./fsck-order.ts";

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
  /** Instead of all refs. */
  readonly heads?: readonly Oid[];
}

export interface FsckTold {
  out(line: string): void;
  err(line: string): void;
}

/** Bits of the exit code. */
const BAD_OBJECT = 1;
const BAD_LINK = 2;
const BAD_REF = 8;

interface Known {
  type: ObjectType;
  here: boolean;
  used: boolean;
  reachable: boolean;
}

export async function fsck(repo: Repository, options: FsckOptions, told: FsckTold): Promise<number> {
  const check = new Fsck(repo, options, told, await readShallow(repo));
  await check.objects();
  await check.roots();
  await check.follow();
  await check.tellRest();
  return check.code;
}

class Fsck {
  code = 0;
  readonly #repo: Repository;
  readonly #odb: GitObjectDatabase;
  readonly #options: FsckOptions;
  readonly #told: FsckTold;
  readonly #shallow: ReadonlySet<Oid>;
  readonly #known = new Map<Oid, Known>();
  readonly #order = new ObjectOrder();
  readonly #pending: Oid[] = [];

  constructor(repo: Repository, options: FsckOptions, told: FsckTold, shallow: ReadonlySet<Oid>) {
    this.#repo = repo;
    this.#odb = asGitDatabase(repo.odb);
    this.#options = options;
    this.#told = told;
    this.#shallow = shallow;
  }

  async objects(): Promise<void> {
    for await (const oid of listAll(this.#odb)) {
      const object = await this.#read(oid);
      if (object === null) continue;
      const { type, body } = object;
      const known = this.#know(oid, type);
      known.here = true;
      for (const link of this.#links(oid, object)) this.#know(link.oid, link.type).used = true;
      if (!this.#options.connectivityOnly) this.#check(oid, type, body);
    }
  }

  #check(oid: Oid, type: ObjectType, body: Uint8Array): void {
    for (const { level, id, text } of fsckObject(type, body, this.#options.strict === true)) {
      this.#told.err(`${level} in ${type} ${oid}: ${id}: ${text}`);
      if (level === "error") this.code |= BAD_OBJECT;
    }
    if (this.#options.root && type === "commit" && this.#links(oid, { type, body }).length === 1)
      this.#told.out(`root ${oid}`);
    if (this.#options.tags && type === "tag") this.#tellTag(oid, body);
  }

  #tellTag(oid: Oid, body: Uint8Array): void {
    const [link] = objectLinks("tag", body);
    const name = /^tag (.*)$/m.exec(new TextDecoder().decode(body))?.[1];
    if (link !== undefined) this.#told.out(`tagged ${link.type} ${link.oid} (${name}) in ${oid}`);
  }

  /** Read by name and compared with it; null: broken, which has been told. */
  async #read(oid: Oid): Promise<GitObject | null> {
    const own = (await this.#odb.sources())[0] as ObjectSource;
    const path = this.#shown(own.loose.path(oid));
    const isLoose = (await this.#odb.inPack(oid)) === null;
    try {
      const object = await this.#whole(oid);
      const name = hashObject(object.type, object.body);
      if (name === oid) return object;
      this.#told.err(
        isLoose ? `error: ${name}: hash-path mismatch, found at: ${path}` : `error: packed ${oid} is corrupt`,
      );
    } catch (error) {
      if (!(error instanceof GitError) || error.code !== "ECORRUPT") throw error;
      const inner = error.cause instanceof Error ? error.cause.message : null;
      if (inner !== null) this.#told.err(`error: inflate: data stream error (${inner})`);
      if (isLoose) this.#told.err(`error: unable to unpack header of ${path}`);
      this.#told.err(isLoose ? `error: ${oid}: object corrupt or missing: ${path}` : `error: ${oid}: ${error.message}`);
    }
    this.code |= BAD_OBJECT;
    return null;
  }

  /** A blob too large to hold is taken at its word: its stream is read through, which checks that it inflates. */
  async #whole(oid: Oid): Promise<GitObject> {
    return this.#odb.need(oid);
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
      this.#told.err(`notice: HEAD points to an unborn branch (${head.name.replace(/^refs\/heads\//, () => "")})`);
    const all = await refs.list();
    await this.#checkHead();
    if (head?.oid && head.oid !== ZERO_OID) this.#startRef("HEAD", head.oid);
    for (const { name, oid } of all) if (name !== "HEAD") this.#startRef(name, oid);
    if (all.length === 0 && !head?.oid) this.#told.err("notice: No default references");
    if (this.#options.reflogs ?? true) await this.#startReflogs(["HEAD", ...all.map(({ name }) => name)]);
    await this.#startStaged();
  }

  async #checkHead(): Promise<void> {
    const head = await this.#repo.refs.read("HEAD");
    let complaint: string | null = null;
    if (head?.kind === "symbolic" && !head.target.startsWith("refs/heads/"))
      complaint = `HEAD points to something strange (${head.target})`;
    if (head?.kind === "oid" && head.oid === ZERO_OID) complaint = "HEAD: detached HEAD points at nothing";
    if (complaint === null) return;
    this.#told.err(`error: ${complaint}`);
    this.code |= BAD_REF;
  }

  #startRef(name: string, oid: Oid): void {
    const known = this.#known.get(oid);
    if (known?.here && known.type !== "commit" && (name === "HEAD" || name.startsWith("refs/heads/"))) {
      this.#told.err(`error: ${name}: not a commit`);
      this.code |= BAD_REF;
    }
    if (known?.here) return this.#start(oid);
    this.#told.err(`error: ${name}: invalid sha1 pointer ${oid}`);
    this.code |= BAD_LINK;
  }

  async #startReflogs(names: readonly string[]): Promise<void> {
    for (const name of new Set(names)) {
      for (const { from, to } of await this.#repo.refs.reflog(name)) {
        for (const oid of [from, to]) {
          if (oid === ZERO_OID) continue;
          const known = this.#known.get(oid);
          if (known?.here) {
            known.used = true;
            this.#start(oid);
          } else {
            this.#told.err(`error: ${name}: invalid reflog entry ${oid}`);
            this.code |= BAD_LINK;
          }
        }
      }
    }
  }

  async #startStaged(): Promise<void> {
    const index = await readIndex(this.#repo);
    const staged = index.entries.filter(({ mode }) => mode !== 0o160000).map(({ oid }) => oid);
    for (const oid of [...staged, ...undoObjects(index)]) {
      this.#know(oid, "blob").used = true;
      this.#start(oid);
    }
    if (index.tree !== null) this.#startCachedTree(index.tree);
  }

  #startCachedTree({ oid, entries, children }: CachedTree): void {
    if (oid !== null && entries >= 0) {
      const known = this.#known.get(oid);
      if (known?.here) {
        known.used = true;
        this.#start(oid);
      } else {
        this.#told.err(`error: ${oid}: invalid sha1 pointer in cache-tree`);
        this.code |= BAD_REF;
      }
    }
    for (const child of children.values()) this.#startCachedTree(child);
  }

  #start(oid: Oid): void {
    const known = this.#know(oid, "blob");
    if (known.reachable) return;
    known.reachable = true;
    if (known.here) this.#pending.push(oid);
  }

  async follow(): Promise<void> {
    for (let oid = this.#pending.pop(); oid !== undefined; oid = this.#pending.pop()) {
      const { type } = this.#known.get(oid) as Known;
      if (type === "blob") continue;
      for (const link of this.#links(oid, await this.#odb.need(oid))) {
        const target = this.#know(link.oid, link.type);
        if (target.reachable) continue;
        target.reachable = true;
        if (target.here) this.#pending.push(link.oid);
        else {
          this.#told.out(
            `broken link from ${type.padStart(7)} ${oid}\n              to ${link.type.padStart(7)} ${link.oid}`,
          );
          this.code |= BAD_LINK;
        }
      }
    }
  }

  async tellRest(): Promise<void> {
    const { unreachable, dangling = true, lostFound } = this.#options;
    for (const oid of this.#order.oids()) {
      const { type, here, used, reachable } = this.#known.get(oid) as Known;
      if (reachable && !here) {
        this.#told.out(`missing ${type} ${oid}`);
        this.code |= BAD_LINK;
      } else if (!reachable && here && unreachable) this.#told.out(`unreachable ${type} ${oid}`);
      else if (!reachable && here && !used) {
        if (dangling) this.#told.out(`dangling ${type} ${oid}`);
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

  #know(oid: Oid, type: ObjectType): Known {
    this.#order.look(oid);
    const known = this.#known.get(oid);
    if (known !== undefined) return known;
    const made: Known = { type, here: false, used: false, reachable: false };
    this.#known.set(oid, made);
    return made;
  }

  #shown(path: string): string {
    const { gitDir, shownGitDir } = this.#repo;
    return shownGitDir === undefined ? path : `${shownGitDir}${path.slice(gitDir.length)}`;
  }
}
