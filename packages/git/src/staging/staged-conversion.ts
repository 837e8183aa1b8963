/** Conversion for a repository whose index is at hand: attributes and the old line endings of a file come from there where needed. */
import { type Conversion, openConversion } from "../convert/conversion.ts";
import type { Oid } from "../oid.ts";
import type { Repository } from "../repository.ts";

/** `stagedOid`: what is staged for a path at stage 0. */
export function openStagedConversion(
  repo: Repository,
  stagedOid: (path: string) => Oid | undefined,
): Promise<Conversion> {
  return openConversion(repo, {
    staged: async (path) => {
      const oid = stagedOid(path);
      return oid === undefined ? null : ((await repo.odb.read(oid))?.body ?? null);
    },
  });
}
