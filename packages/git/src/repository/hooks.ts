/**
 * Hooks are programs, and programs do not run here. One rule for all: where git would run an executable hook that can reject the
 * operation, the operation is refused before anything changes, unless hooks are disabled for it; for a hook that only gets a
 * notification, a warning says that it did not run.
 * These hooks are in no list, because the commands that run them do not exist here: `applypatch-msg`, `pre-applypatch`,
 * `post-applypatch` (`am`), `push-to-checkout` (`receive.denyCurrentBranch=updateInstead`), `sendemail-validate`, `p4-*`.
 * `fsmonitor-watchman` and `post-index-change` serve caches that do not exist here, and are ignored.
 */

import { adviceEnabled } from "../config/advice.ts";
import { GitError } from "../errors.ts";
import type { Repository } from "../repository.ts";
import { absolutePath } from "../text/absolute-path.ts";

/** git runs it last, whenever a ref moves; it is listed first because it is checked before anything is changed. */
const FIRST = "reference-transaction";

/** The hooks that git runs for each operation, in its order. */
const OPERATIONS = {
  commit: [FIRST, "pre-commit", "prepare-commit-msg", "commit-msg", "post-commit"],
  amend: [FIRST, "pre-commit", "prepare-commit-msg", "commit-msg", "post-commit", "post-rewrite"],
  merge: [FIRST, "pre-merge-commit", "prepare-commit-msg", "commit-msg", "post-merge"],
  "fast-forward": [FIRST, "post-merge"],
  checkout: [FIRST, "post-checkout"],
  pick: [FIRST, "prepare-commit-msg", "post-commit"],
  rebase: [FIRST, "pre-rebase", "post-checkout", "prepare-commit-msg", "post-commit", "post-rewrite"],
  push: ["pre-push"],
  "auto gc": ["pre-auto-gc"],
  "ref update": [FIRST],
  receive: ["pre-receive", "update", "proc-receive", "reference-transaction", "post-receive", "post-update"],
} as const;

type HookedOperation = keyof typeof OPERATIONS;
type HookName = (typeof OPERATIONS)[HookedOperation][number];

/**
 * Hooks that can reject, with the option that skips them (null: none). `prepare-commit-msg` is not among them: it proposes a
 * message, and no option of git skips it.
 */
const FORBIDDING: Readonly<Partial<Record<HookName, string | null>>> = {
  "pre-commit": "commit",
  "commit-msg": "commit",
  "pre-merge-commit": "merge",
  "pre-push": "push",
  "pre-rebase": "rebase",
  "pre-auto-gc": null,
  "reference-transaction": null,
};

type HookRepository = Pick<Repository, "fs" | "gitDir" | "commonDir" | "config" | "workTree" | "env"> &
  Partial<Pick<Repository, "warn" | "displayGitDir">>;

/** Before the operation: refuses it if a hook could reject it. Warns about hooks that are not executable, as git does. */
export async function checkHooks(
  repo: HookRepository,
  operation: HookedOperation,
  { noVerify = false }: { noVerify?: boolean | undefined } = {},
): Promise<void> {
  const { folder, shown } = hooksFolder(repo);
  const found = await hooksIn(repo, folder);
  for (const name of OPERATIONS[operation]) {
    const verb = FORBIDDING[name];
    const hook = found.get(name);
    if (hook === undefined || (noVerify && verb)) continue;
    if (hook === "ignored") {
      if (!adviceEnabled(repo.config, "ignoredHook")) continue;
      repo.warn?.(`The '${shown}/${name}' hook was ignored because it's not set as executable.`, "hint");
      repo.warn?.("You can disable this warning with `git config advice.ignoredHook false`.", "hint");
      continue;
    }
    if (verb === undefined) continue;
    const way =
      verb === null ? "-c core.hooksPath=/dev/null to go on without hooks" : `--no-verify to ${verb} without it`;
    throw new GitError("EUNSUPPORTED", `the '${name}' hook cannot be run here; use ${way}`);
  }
}

/** After the operation: names the notification hooks that did not run. */
export async function printSkippedHooks(repo: HookRepository, operation: HookedOperation): Promise<void> {
  const found = await hooksIn(repo, hooksFolder(repo).folder);
  for (const name of OPERATIONS[operation])
    if (found.get(name) === "executable" && FORBIDDING[name] === undefined)
      repo.warn?.(`the '${name}' hook was not run: hooks are not supported here`);
}

/** Rejects a push to a repository with receive hooks, which the sender cannot disable. */
export async function refuseReceiveHooks(there: HookRepository): Promise<void> {
  const found = await hooksIn(there, hooksFolder(there).folder);
  for (const name of OPERATIONS.receive)
    if (found.get(name) === "executable")
      throw new GitError("EUNSUPPORTED", `the '${name}' hook of the other repository cannot be run here`);
}

function hooksFolder({ gitDir, commonDir = gitDir, config, workTree, env, displayGitDir = ".git" }: HookRepository) {
  const configured = config.get("core.hookspath");
  if (configured === undefined) return { folder: `${commonDir}/hooks`, shown: `${displayGitDir}/hooks` };
  const path = configured.startsWith("~/") ? `${env.HOME ?? ""}${configured.slice(1)}` : configured;
  return { folder: absolutePath(path, workTree ?? gitDir), shown: configured };
}

async function hooksIn({ fs }: HookRepository, folder: string): Promise<Map<string, "executable" | "ignored">> {
  const found = new Map<string, "executable" | "ignored">();
  for (const entry of await fs.scan(folder).catch(() => [])) {
    const { name } = entry;
    const stat = entry.stat.type === "symlink" ? await fs.stat(`${folder}/${name}`).catch(() => null) : entry.stat;
    if (stat?.type === "file") found.set(name, (stat.mode & 0o111) === 0 ? "ignored" : "executable");
  }
  return found;
}
