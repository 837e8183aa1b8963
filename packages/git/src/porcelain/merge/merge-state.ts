/** Reads and writes the files in `.git` that record a merge in progress. */

import { GitError } from "../../errors.ts";
import { type Oid, parseOid } from "../../object/oid.ts";
import type { Repository } from "../../repository.ts";
import { decode, encode } from "../../text/bytes.ts";
import { unmergedPaths } from "../checkout/switch-branch.ts";

type MergeStatePaths = Pick<Repository, "fs" | "gitDir">;

export async function readMergeHeads({ fs, gitDir }: MergeStatePaths): Promise<Oid[]> {
  const [bytes] = await fs.readMany([`${gitDir}/MERGE_HEAD`]);
  if (!bytes) return [];
  return decode(bytes)
    .split("\n")
    .map(parseOid)
    .filter((oid) => oid !== null);
}

export interface MergeStateToWrite {
  readonly heads: readonly Oid[];
  readonly noFastForward: boolean;
  /** The final message, without its trailing newline. */
  readonly message: string;
}

export async function writeMergeState(
  { fs, gitDir }: MergeStatePaths,
  { heads, noFastForward, message }: MergeStateToWrite,
): Promise<void> {
  await fs.writeFile(`${gitDir}/MERGE_HEAD`, heads.map((oid) => `${oid}\n`).join(""));
  await fs.writeFile(`${gitDir}/MERGE_MODE`, noFastForward ? "no-ff" : "");
  await fs.writeFile(`${gitDir}/MERGE_MSG`, encode(`${message}\n`));
}

/** Lists the conflicting paths for MERGE_MSG, as comments that message cleanup removes. */
export async function conflictsHint(repo: Repository, cleanup?: string): Promise<string> {
  const paths = await unmergedPaths(repo);
  const comment = repo.config.get("core.commentchar") ?? "#";
  const isCut = (cleanup ?? repo.config.get("commit.cleanup")) === "scissors";
  const lines = [...(isCut ? SCISSORS : []), " Conflicts:", ...paths.map((path) => `\t${path}`)];
  return `\n${lines.map((line) => `${comment}${line}\n`).join("")}`;
}

const SCISSORS = [
  " ------------------------ >8 ------------------------",
  " Do not modify or remove the line above.",
  " Everything below it will be ignored.",
  "",
];

/** Rejects a new operation while conflicts are unresolved. `doing`: "Merging", "Cherry-picking"; `end` is printed last. */
export async function refuseUnmerged(
  repo: Repository,
  doing: string,
  end = "\nfatal: Exiting because of an unresolved conflict.",
): Promise<void> {
  if ((await unmergedPaths(repo)).length === 0) return;
  throw new GitError(
    "ESTATE",
    `${doing} is not possible because you have unmerged files.
hint: Fix them up in the work tree, and then use 'git add/rm <file>'
hint: as appropriate to mark resolution and make a commit.${end}`,
    { prefix: "error" },
  );
}

export async function refuseUnconcluded({ fs, gitDir }: MergeStatePaths): Promise<void> {
  for (const [file, name] of [
    ["MERGE_HEAD", "merge"],
    ["CHERRY_PICK_HEAD", "cherry-pick"],
  ] as const) {
    if (!(await fs.exists(`${gitDir}/${file}`))) continue;
    throw new GitError(
      "ESTATE",
      `You have not concluded your ${name} (${file} exists).\nPlease, commit your changes before you merge.`,
    );
  }
}
