/** Conversion for a repository with a loaded index: attributes and a file's old line endings come from there where needed. */
import { type Conversion, openConversion } from "../convert/conversion.ts";
import type { Oid } from "../object/oid.ts";
import type { Repository } from "../repository.ts";

/** The entries of a path in the index, by stage. */
type StagesOf = (path: string) => readonly { readonly stage: number; readonly oid: Oid }[];

/** `comingOid`: the .gitattributes that take precedence over those in the work tree. */
export function openStagedConversion(
  repo: Repository,
  stagesOf: StagesOf,
  comingOid?: (path: string) => Oid | undefined,
): Promise<Conversion> {
  const content = async (oid: Oid | undefined) =>
    oid === undefined ? null : ((await repo.odb.read(oid))?.body ?? null);
  return openConversion(repo, {
    staged: (path) => content(ownStage(stagesOf(path))?.oid),
    ...(comingOid ? { coming: (path) => content(comingOid(path)) } : {}),
  });
}

/** The staged entry; for a conflicted path our side, as in git. */
export function ownStage<T extends { readonly stage: number }>(stages: readonly T[]): T | undefined {
  return stages.find(({ stage }) => stage === 0) ?? stages.find(({ stage }) => stage === 2);
}
