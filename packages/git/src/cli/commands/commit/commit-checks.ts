/** Checks which options of `git commit` may be combined, and what they need from the work tree. */
import { GitError } from "../../../errors.ts";
import type { CommitOptions } from "../../../porcelain/commit/commit.ts";
import type { ParsedFlags } from "../../framework/flag-table.ts";
import type { commitFlags } from "./commit-flags.ts";

export type CommitFlags = ParsedFlags<typeof commitFlags>["flags"];

/** `isPicking`: a cherry-pick is being concluded. */
export function checkTogether(flags: CommitFlags, isPicking: boolean): void {
  if (flags.author && flags.resetAuthor) {
    throw new GitError("EINVAL", "options '--reset-author' and '--author' cannot be used together");
  }
  if (flags.fixup && flags.squash)
    throw new GitError("EINVAL", "options '--squash' and '--fixup' cannot be used together");
  exclusive([
    [flags.reuse, "-C"],
    [flags.reedit, "-c"],
    [flags.file, "-F"],
    [flags.fixup, "--fixup"],
  ]);
  exclusive([
    [flags.message, "-m"],
    [flags.reedit, "-c"],
    [flags.reuse, "-C"],
    [flags.file, "-F"],
  ]);
  if (flags.resetAuthor && !flags.reuse && !flags.reedit && !flags.amend && !isPicking) {
    throw new GitError("EINVAL", "--reset-author can be used only with -C, -c or --amend.");
  }
  exclusive([
    [flags.include, "-i/--include"],
    [flags.only, "-o/--only"],
    [flags.all, "-a/--all"],
  ]);
}

function exclusive(options: readonly (readonly [given: unknown, name: string])[]): void {
  const input = options.filter(([value]) => value !== undefined && value !== false).map(([, name]) => `'${name}'`);
  if (input.length === 2) throw new GitError("EINVAL", `options ${input.join(" and ")} cannot be used together`);
  if (input.length > 2) {
    throw new GitError(
      "EINVAL",
      `options ${input.slice(0, -1).join(", ")}, and ${input.at(-1)} cannot be used together`,
    );
  }
}

export function commitMode(flags: CommitFlags, paths: readonly string[]): CommitOptions["mode"] {
  if (flags.all && paths.length > 0)
    throw new GitError("EINVAL", `paths '${paths[0]} ...' with -a does not make sense`);
  const isAlone = flags.amend || flags.allowEmpty || fixupOf(flags)?.kind === "amend";
  if (paths.length === 0 && (flags.include || (flags.only && !isAlone))) {
    throw new GitError("EINVAL", "No paths with --include/--only does not make sense.");
  }
  if (flags.all) return "all";
  if (flags.include) return "include";
  // Without paths: HEAD's own tree with another message.
  return paths.length > 0 || flags.only ? "only" : "index";
}

/** `amend:` and `reword:` open an editor. */
export function fixupOf({ fixup }: CommitFlags): { kind: "fixup" | "amend" | "reword"; name: string } | null {
  if (typeof fixup !== "string") return null;
  const [, word, name = ""] = /^([a-zA-Z]+):(.*)$/s.exec(fixup) ?? [];
  if (word === undefined) return { kind: "fixup", name: fixup };
  if (word !== "amend" && word !== "reword") throw new GitError("EINVAL", `unknown option: --fixup=${fixup}`);
  return { kind: word, name };
}

/** `amend` and `reword` already have a message, and a reword has no changes. */
export function checkFixup(flags: CommitFlags, paths: readonly string[]): void {
  const { kind = "fixup" } = fixupOf(flags) ?? {};
  if (kind === "fixup") return;
  if (flags.message) throw new GitError("EINVAL", `options '-m' and '--fixup:${kind}' cannot be used together`);
  if (kind !== "reword") return;
  if (paths.length > 0)
    throw new GitError("EINVAL", `reword option of '--fixup' and path '${paths[0]}' cannot be used together`);
  if (flags.all || flags.include || flags.only || flags.patch || flags.interactive)
    throw new GitError(
      "EINVAL",
      "reword option of '--fixup' and '--patch/--interactive/--all/--include/--only' cannot be used together",
    );
}
