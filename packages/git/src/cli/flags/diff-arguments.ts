/** Resolves the arguments of `diff`: trees and blobs in order, and paths. */

import type { Pathspec } from "../../pathspec/pathspec.ts";
import { type NamedEnds, readNamedEnds } from "../../porcelain/diff/named-ends.ts";
import type { Repository } from "../../repository.ts";
import type { CommandContext } from "../framework/command.ts";
import type { ParsedFlagSubset } from "../framework/flag-table.ts";
import type { DiffFlags } from "./diff-flags.ts";
import type { RevisionFlags } from "./revision-flag-table.ts";
import { readRevisions } from "./revision-flags.ts";

interface DiffArguments extends NamedEnds {
  readonly pathspec: Pathspec;
  /** An argument had the form `a...b`. */
  readonly symmetric: boolean;
}

export async function readDiffArguments(
  context: CommandContext,
  repo: Repository,
  parsed: ParsedFlagSubset<DiffFlags>,
): Promise<DiffArguments> {
  const { arguments: named, pathspec } = await readRevisions(
    context,
    repo,
    parsed as unknown as ParsedFlagSubset<RevisionFlags>,
    { fallback: null },
  );
  return { ...(await readNamedEnds(repo, named)), pathspec, symmetric: named.symmetric };
}
