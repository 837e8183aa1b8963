/** The object of a ref and its tag target, read on demand and only once. */

import { GitError } from "../../errors.ts";
import { type Commit, parseCommit } from "../../object/commit.ts";
import type { Oid } from "../../object/oid.ts";
import { parseTag, type Tag } from "../../object/tag.ts";
import type { GitObject } from "../../odb/object-database.ts";
import type { Repository } from "../../repository.ts";
import { decode } from "../../text/bytes.ts";

export interface RefItem {
  readonly name: string;
  readonly oid: Oid;
  readonly target?: string;
  /** `branch` shows this text instead of a name for a detached HEAD. */
  readonly displayed?: string;
}

export interface RefObject {
  readonly oid: Oid;
  readonly object: GitObject;
  readonly commit: Commit | null;
  readonly tag: Tag | null;
  /** The whole object, as text. */
  readonly raw: string;
}

export class RefObjects {
  private readonly known = new Map<Oid, RefObject>();

  constructor(private readonly repo: Repository) {}

  async get(ref: RefItem): Promise<RefObject> {
    return this.load(ref.oid, ref.name);
  }

  /** The direct target of the tag; null: not a tag. */
  async target(ref: RefItem): Promise<RefObject | null> {
    const { tag } = await this.load(ref.oid, ref.name);
    return tag && this.load(tag.object, ref.name);
  }

  private async load(oid: Oid, name: string): Promise<RefObject> {
    const before = this.known.get(oid);
    if (before) return before;
    const object = await this.repo.odb.read(oid);
    if (!object) throw new GitError("ENOTFOUND", `missing object ${oid} for ${name}`);
    const loaded = {
      oid,
      object,
      commit: object.type === "commit" ? parseCommit(object.body, "") : null,
      tag: object.type === "tag" ? parseTag(object.body) : null,
      get raw() {
        return decode(object.body);
      },
    };
    // Bounds the cache for listings of thousands of refs: many atoms use one commit, then never again.
    if (this.known.size > 64) this.known.clear();
    this.known.set(oid, loaded);
    return loaded;
  }
}
