/** Lists the objects of commits as `rev-list --objects` does: tags, then every tree with its contents. */
import { isGitlinkMode, isTreeMode } from "../object/file-mode.ts";
import type { Oid } from "../object/oid.ts";
import { parseTree } from "../object/tree.ts";
import type { Repository } from "../repository.ts";
import type { PathLimit } from "./compare-trees.ts";
import type { NamedObject } from "./revision-arguments.ts";

interface ListedObject {
  readonly oid: Oid;
  readonly path: string;
  readonly type: "tag" | "tree" | "blob";
}

export interface ListObjectsOptions {
  /** Named on the command line, in order. */
  readonly named: readonly NamedObject[];
  /** Trees of the shown commits, in their order. */
  readonly trees: readonly Oid[];
  /** Trees of boundary commits: their contents are not listed. */
  readonly excluded: readonly Oid[];
  /** `--filter`: omits blobs, or trees below a depth. */
  readonly blobs?: (oid: Oid, depth: number) => Promise<boolean> | boolean;
  readonly treeDepth?: number;
  /** Only these paths, in trees of commits. */
  readonly paths?: PathLimit;
}

type ListRepository = Pick<Repository, "odb" | "limits">;

export async function* listObjects(repo: ListRepository, options: ListObjectsOptions): AsyncGenerator<ListedObject> {
  const seen = new Set<Oid>();
  for (const tree of options.excluded) await markAll(repo, tree, seen);
  for (const object of options.named) {
    if (object.uninteresting && object.peeledType === "tree") await markAll(repo, object.peeled, seen);
    else if (object.uninteresting) seen.add(object.peeled);
  }
  for (const { oid, type, peeled, peeledType, uninteresting, name, path } of options.named) {
    if (uninteresting) continue;
    if (type === "tag" && !seen.has(oid)) {
      seen.add(oid);
      yield { oid, path: name.replace(/^refs\/tags\//, ""), type: "tag" };
    }
    if (peeledType === "tree") yield* listTree(repo, peeled, path ?? "", seen, { ...options, paths: undefined });
    if (peeledType === "blob" && !seen.has(peeled)) {
      seen.add(peeled);
      yield { oid: peeled, path: path ?? "", type: "blob" };
    }
  }
  for (const tree of options.trees) yield* listTree(repo, tree, "", seen, options);
}

async function* listTree(
  { odb, limits }: ListRepository,
  root: Oid,
  rootPath: string,
  seen: Set<Oid>,
  { blobs, treeDepth = Number.POSITIVE_INFINITY, paths }: ListObjectsOptions,
): AsyncGenerator<ListedObject> {
  const pending: { oid: Oid; path: string; depth: number; tree: boolean }[] = [
    { oid: root, path: rootPath, depth: 0, tree: true },
  ];
  for (let next = pending.pop(); next; next = pending.pop()) {
    const { oid, path, depth, tree } = next;
    if (seen.has(oid)) continue;
    if (!tree) {
      if (depth > treeDepth || (blobs && !(await blobs(oid, depth)))) continue;
      seen.add(oid);
      yield { oid, path, type: "blob" };
      continue;
    }
    if (depth >= treeDepth || depth > limits.treeDepth) continue;
    seen.add(oid);
    yield { oid, path, type: "tree" };
    const entries = parseTree((await odb.need(oid, "tree")).body);
    // Pushed in reverse, so that they are popped in order.
    for (let i = entries.length - 1; i >= 0; i--) {
      const entry = entries[i] as (typeof entries)[number];
      if (isGitlinkMode(entry.mode)) continue;
      const name = path === "" ? entry.name : `${path}/${entry.name}`;
      const verdict = paths?.match(name, isTreeMode(entry.mode));
      if (verdict === "none" || (verdict === "some" && !isTreeMode(entry.mode))) continue;
      pending.push({ oid: entry.oid, path: name, depth: depth + 1, tree: isTreeMode(entry.mode) });
    }
  }
}

async function markAll({ odb, limits }: ListRepository, root: Oid, seen: Set<Oid>): Promise<void> {
  const pending = [{ oid: root, depth: 0 }];
  for (let next = pending.pop(); next; next = pending.pop()) {
    if (seen.has(next.oid) || next.depth > limits.treeDepth) continue;
    seen.add(next.oid);
    const object = await odb.read(next.oid);
    if (object?.type !== "tree") continue;
    for (const { oid, mode } of parseTree(object.body)) {
      if (isTreeMode(mode)) pending.push({ oid, depth: next.depth + 1 });
      else if (!isGitlinkMode(mode)) seen.add(oid);
    }
  }
}
