/** Builds trees from their entries, the deepest first; at the end writes those that are not stored yet. */
import { hashObject } from "../hash/hash-object.ts";
import { MODE_TREE } from "../object/file-mode.ts";
import type { Oid } from "../object/oid.ts";
import { serializeTree, type TreeEntry } from "../object/tree.ts";
import type { GitObject, ObjectDatabase } from "../odb/object-database.ts";
import { type FileVersion, parentDirectory } from "./merge-entry.ts";

export class TreeBuilder {
  readonly #open = new Map<string, TreeEntry[]>();
  readonly #objects = new Map<Oid, GitObject>();

  add(path: string, { mode, oid }: FileVersion): void {
    if (mode === 0) return;
    const directory = parentDirectory(path);
    const entry = { mode, name: directory === "" ? path : path.slice(directory.length + 1), oid };
    const list = this.#open.get(directory);
    if (list) list.push(entry);
    else this.#open.set(directory, [entry]);
  }

  /** Null: empty. */
  close(directory: string): FileVersion | null {
    const entries = this.#open.get(directory);
    if (entries === undefined) return null;
    this.#open.delete(directory);
    const body = serializeTree(entries);
    const oid = hashObject("tree", body);
    this.#objects.set(oid, { type: "tree", body });
    return { mode: MODE_TREE, oid };
  }

  async finish(odb: ObjectDatabase): Promise<Oid> {
    const root = this.close("");
    // The empty tree is always known, but a commit must not name one that is not stored.
    if (root === null) return odb.write("tree", new Uint8Array(0));
    const missing = await odb.missing([...this.#objects.keys()]);
    await odb.writeMany(missing.map((oid) => this.#objects.get(oid) as GitObject));
    return root.oid;
  }
}
