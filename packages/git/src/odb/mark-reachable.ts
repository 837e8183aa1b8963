/** Marks every object reachable from others: commits to their trees and parents, trees to their entries, tags to their targets. */
import { GitError } from "../errors.ts";
import { OidTable } from "../hash/oid-table.ts";
import { eachTreeLink, objectLinks } from "../object/object-links.ts";
import { type Oid, oidFromBytes } from "../object/oid.ts";
import type { ObjectDatabase } from "./object-database.ts";

interface MarkReachableOptions {
  /** Shallow boundary: commits whose parents may be missing. */
  readonly shallow?: ReadonlySet<Oid>;
  /** Called for a missing object; default git's error. Never for a blob: those are not checked. */
  readonly missing?: (oid: Oid) => void;
  /** Known objects: not followed. Shared with the result. */
  readonly known?: OidTable;
}

export async function markReachable(
  odb: ObjectDatabase,
  roots: Iterable<Oid>,
  { shallow, missing = cannotRead, known = new OidTable() }: MarkReachableOptions = {},
): Promise<OidTable> {
  const pending: Oid[] = [];
  const visit = (oid: Oid) => {
    const before = known.count;
    if (known.add(oid) === before) pending.push(oid);
  };
  for (const root of roots) {
    visit(root);
    for (let oid = pending.pop(); oid !== undefined; oid = pending.pop()) {
      const header = await odb.header(oid);
      if (header === null) {
        missing(oid);
        continue;
      }
      if (header.type === "blob") continue;
      const { type, body } = await odb.need(oid);
      if (type === "tree") followTree(known, body, pending);
      else
        for (const link of objectLinks(type, body))
          if (link.type !== "commit" || type !== "commit" || !shallow?.has(oid)) visit(link.oid);
    }
  }
  return known;
}

/** Blobs are already marked: only trees are read further. */
function followTree(known: OidTable, body: Uint8Array, pending: Oid[]): void {
  eachTreeLink(body, (names, at, isTree) => {
    const before = known.count;
    if (known.addBytes(names, at) === before && isTree) pending.push(oidFromBytes(names, at));
  });
}

function cannotRead(oid: Oid): never {
  throw new GitError("ENOTFOUND", `unable to read ${oid}`);
}
