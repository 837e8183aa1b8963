/** Peels a tag to its object, and a commit to its tree. */
import { GitError } from "../errors.ts";
import { type Oid, parseOid } from "../object/oid.ts";
import type { ObjectType } from "../odb/object-database.ts";
import type { Repository } from "../repository.ts";

type PeelRepository = Pick<Repository, "odb" | "limits">;

interface Peeled {
  readonly oid: Oid;
  readonly type: ObjectType;
}

/** Through every tag; null: missing. */
export async function peelTags({ odb, limits }: PeelRepository, oid: Oid): Promise<Peeled | null> {
  let current = oid;
  for (let depth = 0; depth <= limits.tagDepth; depth++) {
    const header = await odb.header(current);
    if (!header) return null;
    if (header.type !== "tag") return { oid: current, type: header.type };
    current = tagTarget((await odb.need(current, "tag")).body);
  }
  throw new GitError("ETOOBIG", `tags nested more than ${limits.tagDepth} deep`);
}

/** Null: another type. */
export async function peelTo(repo: PeelRepository, oid: Oid, type: ObjectType): Promise<Oid | null> {
  if (type === "tag") return (await repo.odb.header(oid))?.type === "tag" ? oid : null;
  const end = await peelTags(repo, oid);
  if (end?.type === type) return end.oid;
  if (end?.type === "commit" && type === "tree") return commitTreeOid((await repo.odb.need(end.oid, "commit")).body);
  return null;
}

export function tagTarget(body: Uint8Array): Oid {
  const oid = parseOid(String.fromCharCode(...body.subarray(7, 47)));
  if (!oid) throw new GitError("ECORRUPT", "bad tag object");
  return oid;
}

export function commitTreeOid(body: Uint8Array): Oid {
  const oid = parseOid(String.fromCharCode(...body.subarray(5, 45)));
  if (!oid) throw new GitError("ECORRUPT", "bad commit object");
  return oid;
}
