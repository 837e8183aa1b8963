/** Refs as data: what each points to, and the upstream of branches. */
import { GitError } from "../../errors.ts";
import type { Oid } from "../../object/oid.ts";
import { parseTag } from "../../object/tag.ts";
import type { Repository } from "../../repository.ts";
import { branchUpstream } from "../../revision/branch-mark.ts";
import { filterRefs } from "./filter-refs.ts";

export interface RefInfo {
  /** Full name: "refs/heads/main". */
  readonly name: string;
  readonly oid: Oid;
  readonly type: "commit" | "tree" | "blob" | "tag";
  /** The object that an annotated tag points to. */
  readonly peeled?: Oid;
  /** The target of a symbolic ref. */
  readonly symref?: string;
  /** Of a branch: "refs/remotes/origin/main". */
  readonly upstream?: string;
  /** HEAD is on this branch. */
  readonly current: boolean;
}

/** `prefix`: "refs/heads/", "refs/tags/"; a full name or a glob too. */
export async function listRefs(repo: Repository, prefix = "refs/"): Promise<RefInfo[]> {
  const head = await repo.refs.read("HEAD");
  const current = head?.kind === "symbolic" ? head.target : null;
  const found: RefInfo[] = [];
  for (const { name, oid, target } of await filterRefs(repo, { patterns: [prefix] })) {
    const header = await repo.odb.header(oid);
    if (header === null) throw new GitError("ENOTFOUND", `missing object ${oid} for ${name}`);
    const peeled = header.type === "tag" ? parseTag((await repo.odb.need(oid, "tag")).body).object : undefined;
    const branch = name.startsWith("refs/heads/") ? name.slice("refs/heads/".length) : null;
    const upstream = branch === null ? null : branchUpstream(repo, branch).tracking;
    found.push({
      name,
      oid,
      type: header.type,
      ...(peeled && { peeled }),
      ...(target && { symref: target }),
      ...(upstream && { upstream }),
      current: name === current,
    });
  }
  return found;
}
