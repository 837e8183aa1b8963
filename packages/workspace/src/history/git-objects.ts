/**
 * Defines how an undo treats git objects: they are content-addressed, and refs, reflogs, the index and other repositories refer to
 * them. A repository is a directory that contains `objects`, `HEAD` and `refs`: `.git`, that of a submodule, or a bare one.
 */
import type { StorePolicy } from "@workspace/vfs";

export const GIT_OBJECTS: StorePolicy = {
  directory: "objects",
  beside: ["HEAD", "refs"],
  file: /^(?:[0-9a-f]{38}|[0-9a-f]{62}|pack-(?:[0-9a-f]{40}|[0-9a-f]{64})\.[a-z]+)$/,
  // Without its line in `shallow`, a commit misses its parents; without its line in `alternates`, a repository its objects.
  lists: ["shallow", "alternates"],
  packed: { from: "refs", into: "packed-refs" },
};
