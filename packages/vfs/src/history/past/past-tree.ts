/**
 * The tree at a revision: the current tables, rewound along the log for everything that has changed since. Nothing is built ahead:
 * a directory costs the entries that touched it, and an untouched one costs the same as now. Rows of removed files exist as long as
 * the log reaches back to the revision.
 */
import type { Database } from "../../db/database.ts";
import {
  selectChain,
  selectEntries,
  selectEntriesOf,
  selectHardlinks,
  selectInode,
  selectInodes,
} from "../../store/inodes.ts";
import { LISTED_MAX, selectListed, selectListedOf } from "../../store/listings.ts";
import { selectInodeLog } from "../../store/log-reader.ts";
import { countSubdirectories, selectNamesOf } from "../../store/names.ts";
import { type Inode, isDirectory, ROOT_INO, type TypeCode, typeCode } from "../../tree/inode.ts";
import { compareNames } from "../../tree/path.ts";
import type { DirentRow, NamedInode, RowPage, Tree } from "../../tree/tree.ts";
import { lastName, namesBefore, rewind, roleIn } from "./rewind.ts";

/** Names of a directory that referred to another inode at the revision. */
type Names = ReadonlyMap<string, number>;
const NO_NAMES: Names = new Map();

export class PastTree implements Tree {
  readonly #db: Database;
  readonly #rev: number;

  constructor(db: Database, rev: number) {
    this.#db = db;
    this.#rev = rev;
  }

  inode(ino: number): Inode | null {
    return this.inodes([ino])[0] ?? null;
  }

  inodes(inos: readonly number[]): Inode[] {
    const older = inos.filter((ino) => ino <= this.#rev);
    if (older.length === 0) return [];
    const only = older.length === 1 ? selectInode(this.#db, older[0] as number) : null;
    const present = older.length > 1 ? selectInodes(this.#db, older) : only === null ? [] : [only];
    return this.#taken(present);
  }

  walkNames(parent: number, names: readonly string[]): Inode[] {
    const found: Inode[] = [];
    let directory = parent;
    let touched = this.#isTouched(selectInode(this.#db, parent));
    while (found.length < names.length) {
      const rest = names.slice(found.length);
      const present = touched ? this.#namedIn(directory, rest[0] as string) : selectChain(this.#db, directory, rest);
      // The first is certain, and each next one as long as nothing has changed in its directory.
      const end = present.findIndex((inode) => this.#isTouched(inode));
      const certain = end < 0 ? present : present.slice(0, end + 1);
      const last = certain.at(-1);
      if (last === undefined) return found;
      found.push(...this.#taken(certain));
      const missing = !touched && end < 0 && present.length < rest.length;
      if (missing || !isDirectory(last)) return found;
      directory = last.ino;
      touched = this.#isTouched(last);
    }
    return found;
  }

  entries(parent: number, after: string, limit: number): NamedInode[] {
    const changed = this.#changedNames([parent]).get(parent) ?? NO_NAMES;
    const requested = limit + changed.size;
    const rows = selectEntries(this.#db, parent, after, requested);
    const end = rows.length < requested ? null : (rows.at(-1)?.name ?? null);
    const retained = rows.filter(({ name }) => !changed.has(name));
    const present = [...retained.map(({ inode }) => inode), ...this.#present(...inosOf(changed))];
    const inodes = new Map(this.#taken(present).map((inode) => [inode.ino, inode]));
    const merged = [
      ...retained.map(({ name, inode }) => ({ name, ino: inode.ino })),
      ...within(changed, after, end).map(([name, ino]) => ({ name, ino })),
    ].sort((a, b) => compareNames(a.name, b.name));
    return merged
      .flatMap(({ name, ino }) => {
        const inode = inodes.get(ino);
        return inode === undefined ? [] : [{ parent, name, inode }];
      })
      .slice(0, limit);
  }

  entriesOfMany(parents: readonly number[], limit: number): RowPage<NamedInode> {
    const raw = selectEntriesOf(this.#db, parents, limit);
    const cut = raw.length < limit ? undefined : raw.at(-1)?.parent;
    const whole = cut === undefined ? parents : parents.slice(0, parents.indexOf(cut));
    const changed = this.#changedNames(whole);
    const byParent = Map.groupBy(raw, ({ parent }) => parent);
    const present = raw.map(({ inode }) => inode);
    const added = this.#present(...[...changed.values()].flatMap(inosOf));
    const inodes = new Map(this.#taken([...present, ...added]).map((inode) => [inode.ino, inode]));
    const rows: NamedInode[] = [];
    for (const parent of whole) {
      const names = changed.get(parent) ?? NO_NAMES;
      const kept = (byParent.get(parent) ?? []).filter(({ name }) => !names.has(name));
      const all = [...kept.map(({ name, inode }) => [name, inode.ino] as const), ...within(names, "", null)];
      if (names.size > 0) all.sort(([a], [b]) => compareNames(a, b));
      for (const [name, ino] of all) {
        const inode = inodes.get(ino);
        if (inode !== undefined) rows.push({ parent, name, inode });
      }
    }
    return { rows, cut };
  }

  dirents(parent: number, after: string, limit: number): DirentRow[] {
    const changed = this.#changedNames([parent]).get(parent) ?? NO_NAMES;
    if (changed.size === 0) return selectListed(this.#db, parent, after, limit);
    const max = Math.min(limit, LISTED_MAX);
    return this.entries(parent, after, max).map(
      ({ name, inode }) => [parent, name, inode.ino, typeCode(inode)] as const,
    );
  }

  listedOf(parents: readonly number[], limit: number): RowPage<DirentRow> {
    const raw = selectListedOf(this.#db, parents, limit);
    const cut = raw.length < Math.min(limit, LISTED_MAX) ? undefined : raw.at(-1)?.[0];
    const whole = cut === undefined ? parents : parents.slice(0, parents.indexOf(cut));
    const changed = this.#changedNames(whole);
    if (changed.size === 0) return { rows: raw, cut };
    const types = new Map<number, TypeCode>(
      this.#present(...[...changed.values()].flatMap(inosOf)).map((inode) => [inode.ino, typeCode(inode)]),
    );
    const byParent = Map.groupBy(raw, ([parent]) => parent);
    const rows: DirentRow[] = [];
    for (const parent of whole) {
      const names = changed.get(parent) ?? NO_NAMES;
      const kept = (byParent.get(parent) ?? []).filter(([, name]) => !names.has(name));
      const all = [
        ...kept,
        ...within(names, "", null).flatMap(([name, ino]): DirentRow[] => {
          const type = types.get(ino);
          return type === undefined ? [] : [[parent, name, ino, type]];
        }),
      ];
      if (names.size > 0) all.sort((a, b) => compareNames(a[1], b[1]));
      for (const row of all) rows.push(row);
    }
    return { rows, cut };
  }

  reachableLinks({ ino }: Inode): number {
    const now = selectInode(this.#db, ino);
    if (now === null) return 0;
    const places =
      now.nlink > 1 ? selectHardlinks(this.#db, ino) : selectNamesOf(this.#db, now.nlink === 1 ? [ino] : []);
    const names = new Set(places.map(({ parent, name }) => `${parent}/${name}`));
    for (const entry of selectInodeLog(this.#db, [[ino, now.rev]], this.#rev).get(ino) ?? []) {
      const place = `${entry.parent}/${lastName(entry.path)}`;
      const role = roleIn(entry, ino);
      if (role === "replaced" || entry.op === "remove") names.add(place);
      else if (entry.op === "link") names.delete(place);
      else if (entry.op === "rename") {
        names.delete(place);
        names.add(`${entry.fromParent}/${lastName(entry.fromPath ?? "")}`);
      }
    }
    return [...names].filter((place) => this.#isReachable(Number.parseInt(place, 10))).length;
  }

  #isReachable(directory: number): boolean {
    let at = directory;
    while (at !== ROOT_INO && at !== 0) at = this.inode(at)?.parent ?? 0;
    return at === ROOT_INO;
  }

  #present(...inos: readonly number[]): Inode[] {
    const older = inos.filter((ino) => ino !== 0 && ino <= this.#rev);
    return older.length === 0 ? [] : selectInodes(this.#db, older);
  }

  #isTouched(inode: Inode | null): boolean {
    return inode !== null && inode.rev > this.#rev;
  }

  /** The inodes that a name in a directory referred to, in their current state. */
  #namedIn(directory: number, name: string): Inode[] {
    const before = this.#changedNames([directory]).get(directory)?.get(name);
    return before === undefined ? selectChain(this.#db, directory, [name]) : this.#present(before);
  }

  /** Rewinds current inodes to the revision; those that did not exist are left out. */
  #taken(present: readonly Inode[]): Inode[] {
    const changed = present.filter(({ rev }) => rev > this.#rev);
    if (changed.length === 0) return [...present];
    // Once each: a file may occur under several names.
    const starts = [
      ...new Map(changed.filter(({ ino }) => ino <= this.#rev).map(({ ino, rev }) => [ino, rev] as const)),
    ];
    const chains = starts.length === 0 ? new Map() : selectInodeLog(this.#db, starts, this.#rev);
    const nameless = changed.filter((inode) => isDirectory(inode) && inode.nlink === 0).map(({ ino }) => ino);
    const counts = countSubdirectories(this.#db, nameless);
    return present.flatMap((inode) => {
      if (inode.rev <= this.#rev) return inode;
      if (inode.ino > this.#rev) return [];
      const inside = inode.nlink === 0 ? (counts.get(inode.ino) ?? 0) : inode.nlink - 2;
      return rewind(inode, chains.get(inode.ino) ?? [], inside) ?? [];
    });
  }

  /** For those directories in which names have changed since the revision. */
  #changedNames(directories: readonly number[]): Map<number, Names> {
    const changed = new Map<number, Names>();
    const starts = selectInodes(this.#db, directories)
      .filter(({ rev }) => rev > this.#rev)
      .map(({ ino, rev }) => [ino, rev] as const);
    if (starts.length === 0) return changed;
    for (const [ino, entries] of selectInodeLog(this.#db, starts, this.#rev)) {
      const names = namesBefore(ino, entries);
      if (names.size > 0) changed.set(ino, names);
    }
    return changed;
  }
}

function inosOf(names: Names): number[] {
  return [...names.values()].filter((ino) => ino !== 0);
}

/** The names that existed, after `after` and up to `end`. */
function within(names: Names, after: string, end: string | null): [name: string, ino: number][] {
  return [...names].filter(
    ([name, ino]) =>
      ino !== 0 && (after === "" || compareNames(name, after) > 0) && (end === null || compareNames(name, end) <= 0),
  );
}
