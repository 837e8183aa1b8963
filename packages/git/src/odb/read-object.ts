/** Reads and parses objects of an expected type, and peels tags and commits. */
import { GitError } from "../errors.ts";
import { type Commit, parseCommit } from "../object/commit.ts";
import type { Oid } from "../object/oid.ts";
import { parseTag, type Tag } from "../object/tag.ts";
import { parseTree, type TreeEntry } from "../object/tree.ts";
import type { ObjectDatabase, ObjectType } from "./object-database.ts";

const TAG_DEPTH = 100;

export async function readCommit(odb: ObjectDatabase, oid: Oid): Promise<Commit> {
  return parseCommit((await odb.need(oid, "commit")).body);
}

export async function readTree(odb: ObjectDatabase, oid: Oid): Promise<TreeEntry[]> {
  return parseTree((await odb.need(oid, "tree")).body);
}

async function readTag(odb: ObjectDatabase, oid: Oid): Promise<Tag> {
  return parseTag((await odb.need(oid, "tag")).body);
}

/**
 * Follows tags, and a commit to its tree if a tree is requested. Without a type: to the first object that is not a tag.
 * Null: the object is missing, or the target has another type.
 */
export async function peel(odb: ObjectDatabase, oid: Oid, type?: ObjectType): Promise<Oid | null> {
  let at = oid;
  for (let depth = 0; depth <= TAG_DEPTH; depth++) {
    const header = await odb.header(at);
    if (header === null) return null;
    if (header.type === type || (type === undefined && header.type !== "tag")) return at;
    if (header.type === "tag") at = (await readTag(odb, at)).object;
    else if (header.type === "commit" && type === "tree") at = (await readCommit(odb, at)).tree;
    else return null;
  }
  throw new GitError("ECORRUPT", `tag ${oid} is nested too deep`);
}
