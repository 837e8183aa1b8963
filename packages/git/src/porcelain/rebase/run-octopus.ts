/** A merge of more than two heads in a todo list: git runs `git merge`, so messages, reflog and ORIG_HEAD are those of a merge. */
import type { Oid } from "../../object/oid.ts";
import type { WorkRepository } from "../../worktree/work-tree-stats.ts";
import { merge } from "../merge/merge.ts";
import type { LabelledCommit } from "../sequencer/commit-label.ts";
import type { RebaseState } from "./rebase-state.ts";

export interface Octopus {
  readonly kind: "octopus";
  readonly clean: boolean;
  readonly output: string;
  readonly errors: string;
  readonly original: LabelledCommit | null;
}

export async function runOctopus(
  repo: WorkRepository,
  { dates }: Pick<RebaseState, "dates">,
  heads: readonly Oid[],
  { original, message }: { readonly original: LabelledCommit | null; readonly message: string },
): Promise<Octopus> {
  const author = original?.commit.author;
  const date = author && `@${author.seconds} ${author.zone}`;
  const env = {
    ...repo.env,
    ...(author && { GIT_AUTHOR_NAME: author.name, GIT_AUTHOR_EMAIL: author.email }),
    ...(date && dates !== "ignore" && { GIT_AUTHOR_DATE: date }),
    ...(date && dates === "author" && { GIT_COMMITTER_DATE: date }),
  };
  const created = await merge(
    { ...repo, env },
    heads.map((oid) => ({ oid, name: oid })),
    {
      strategies: ["octopus"],
      fastForward: "never",
      message: async () => message.replace(/\n$/, () => ""),
      reflogAction: `merge ${heads.join(" ")}`,
    },
  );
  const result = { kind: "octopus", clean: true, output: "", errors: "", original } as const;
  switch (created.kind) {
    case "merged":
      return { ...result, output: `${created.output}${created.said}\n` };
    case "failed":
      return { ...result, clean: false, output: created.output, errors: created.errors };
    case "conflict":
      return {
        ...result,
        clean: false,
        output: `${created.output}Automatic merge failed; fix conflicts and then commit the result.\n`,
      };
    default:
      return { ...result, output: "Already up to date.\n" };
  }
}
