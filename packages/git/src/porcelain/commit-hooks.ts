/** Hooks are programs, and programs are not run here. One that may forbid a commit stops it, unless `--no-verify` lets it pass. */
import { isAdvised } from "../advice.ts";
import { GitError } from "../errors.ts";
import { absolutePath } from "../git-directory.ts";
import type { Repository } from "../repository.ts";

/** In the order a commit would run them. */
const HOOKS = ["pre-commit", "prepare-commit-msg", "commit-msg", "post-commit"];
const VETOING = new Set(["pre-commit", "commit-msg"]);

export async function checkHooks(repo: Repository, noVerify: boolean): Promise<void> {
  const { fs, gitDir, config, workTree, warn } = repo;
  const configured = config.get("core.hookspath");
  const folder =
    configured === undefined ? `${repo.commonDir ?? gitDir}/hooks` : absolutePath(configured, workTree ?? gitDir);
  const found = new Map((await fs.scan(folder).catch(() => [])).map(({ name, stat }) => [name, stat]));
  for (const name of HOOKS) {
    const stat = found.get(name);
    if (stat === undefined || stat.type === "dir" || (noVerify && VETOING.has(name))) continue;
    if (stat.type === "file" && (stat.mode & 0o111) === 0) {
      if (!isAdvised(config, "ignoredHook")) continue;
      const path = configured === undefined ? `${repo.shownGitDir ?? ".git"}/hooks/${name}` : `${configured}/${name}`;
      warn?.(`The '${path}' hook was ignored because it's not set as executable.`, "hint");
      warn?.("You can disable this warning with `git config advice.ignoredHook false`.", "hint");
    } else if (VETOING.has(name)) {
      throw new GitError("EUNSUPPORTED", `the '${name}' hook cannot be run here; use --no-verify to commit without it`);
    } else warn?.(`the '${name}' hook was not run: hooks are not supported here`);
  }
}
