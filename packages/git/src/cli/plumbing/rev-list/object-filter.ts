/** `--filter=blob:none`, `blob:limit=<n>`, `tree:<depth>`. */
import { parseNumber } from "../../../config/config-value.ts";
import { GitError } from "../../../errors.ts";
import type { Repository } from "../../../repository.ts";
import type { ListObjectsOptions } from "../../../revision/list-objects.ts";

export function objectFilter(
  { odb }: Repository,
  text: string | false | undefined,
): Pick<ListObjectsOptions, "blobs" | "treeDepth"> {
  if (!text) return {};
  if (text === "blob:none") return { blobs: () => false };
  const limit = /^blob:limit=(.*)$/.exec(text)?.[1];
  if (limit !== undefined) {
    const max = parseNumber(limit, Number.MAX_SAFE_INTEGER);
    if (typeof max === "number") return { blobs: async (oid) => ((await odb.header(oid))?.size ?? 0) < max };
  }
  const depth = /^tree:(\d+)$/.exec(text)?.[1];
  if (depth !== undefined) return { treeDepth: Number(depth) };
  throw new GitError("EINVAL", `invalid filter-spec '${text}'`);
}
