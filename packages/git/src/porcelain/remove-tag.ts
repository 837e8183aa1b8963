/** Deletes a tag and returns what it pointed to; null: there is no such tag. */
import type { Oid } from "../object/oid.ts";
import { reflogIdentity } from "../repository/identity.ts";
import type { Repository } from "../repository.ts";

export async function removeTag(repo: Repository, name: string): Promise<Oid | null> {
  const oid = (await repo.refs.resolve(`refs/tags/${name}`))?.oid ?? null;
  if (oid !== null)
    await repo.refs.update([{ name: `refs/tags/${name}`, to: null, noDeref: true }], reflogIdentity(repo));
  return oid;
}
