/** The empty commit that a rebase puts roots on; it is gone once the root is made. */

import { serializeCommit } from "../../object/commit.ts";
import { EMPTY_TREE, type Oid } from "../../object/oid.ts";
import { authorIdentity, committerIdentity } from "../../repository/identity.ts";
import type { Repository } from "../../repository.ts";

export function emptyCommit(repo: Repository): Promise<Oid> {
  const [author, committer] = [authorIdentity(repo), committerIdentity(repo)];
  return repo.odb.write("commit", serializeCommit({ tree: EMPTY_TREE, parents: [], author, committer, message: "" }));
}
