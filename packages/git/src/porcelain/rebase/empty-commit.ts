/** The empty commit that a rebase puts roots on; it is gone once the root is made. */
import { authorIdentity, committerIdentity } from "../../identity.ts";
import { serializeCommit } from "../../object/commit.ts";
import { EMPTY_TREE, type Oid } from "../../oid.ts";
import type { Repository } from "../../repository.ts";

export function emptyCommit(repo: Repository): Promise<Oid> {
  const [author, committer] = [authorIdentity(repo), committerIdentity(repo)];
  return repo.odb.write("commit", serializeCommit({ tree: EMPTY_TREE, parents: [], author, committer, message: "" }));
}
